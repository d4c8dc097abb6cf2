// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

namespace headroom::emulation {

/// Tells the run at the process's end what PyTorch's allocator counted, where no Python of the
/// process has. To be called at the first use of a card: then it comes before the destructors of
/// what was loaded until then.
void tell_framework_at_exit();

}  // namespace headroom::emulation
