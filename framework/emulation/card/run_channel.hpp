// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/run_segment.hpp>
#include <memory>
#include <string>
#include <vector>

#include "memory_watch.hpp"
#include "run_log.hpp"

namespace headroom::emulation {

/// Between this process and the `headroom run` that started it: levels in a shared segment
/// (HEADROOM_RUN_SEGMENT), everything else as lines of JSON in a log (HEADROOM_RUN_LOG; where real
/// calls are counted, HEADROOM_COUNT_...). Needs card_mutex, there the mutex of the books.
class run_channel final : public memory_watch {
 public:
  /// @param capacity  of each card
  /// @return null outside of a run, or when it has ended
  [[nodiscard]] static std::unique_ptr<run_channel> open(int devices, std::uint64_t capacity);
  ~run_channel() override;

  bool take(int device, std::uint64_t size, bool context) override;
  void give_back(int device, std::uint64_t size, bool context) override;
  void hand_out(int device, std::int64_t change) override;
  void refuse(int device, std::uint64_t size) override;
  [[nodiscard]] std::uint64_t used(int device) const override;
  /// By this process, its context left out.
  [[nodiscard]] std::uint64_t taken(int device) const;
  /// Gives back what was taken for the context.
  void end_context(int device);

  /// A known taking that the levels must show and give back, written to the log.
  void prove_meter();
  /// Begins a phase within the innermost one that the thread has open.
  /// @param by  who says so: "nvtx", "pytorch" @return its number, above zero
  int begin_phase(const std::string& name, const std::string& by);
  /// @param framework  what the framework's allocator says, a JSON list; "" for none
  /// @return false where no such phase is open
  bool end_phase(int number, const std::string& framework, bool failed);
  /// The innermost phase that the thread has open, 0 for none.
  [[nodiscard]] int innermost() const;
  /// "none" where the thread has none open.
  [[nodiscard]] std::string innermost_name() const;
  /// Phases that are open end; the process's memory goes back.
  /// With which status this process is about to exit.
  static void exits_with(int status);
  void end(const std::string& report);

 private:
  struct levels {
    std::int64_t begin_allocated = 0, allocated_peak = 0, begin_taken = 0, taken_peak = 0;
  };
  struct open_phase {
    int number = 0, parent = 0;
    long thread = 0;
    std::int64_t begin = 0;  ///< nanoseconds of the monotonic clock
    std::string name, by;
    std::vector<levels> devices;
  };

  run_channel(run_segment* segment, run_segment::process_slot* slot, int devices,
              std::uint64_t capacity);
  [[nodiscard]] run_segment::device_levels& own(int device) const;
  [[nodiscard]] run_segment::device_levels& together(int device) const;
  void close_phase(std::size_t which, const std::string& framework, const char* status);

  run_segment* segment_;
  run_segment::process_slot* slot_;
  int devices_;
  std::uint64_t capacity_;
  std::vector<open_phase> phases_;
  int last_phase_ = 0;
  int refusals_told_ = 0;
};

}  // namespace headroom::emulation
