// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Stand-in for NVML, which expandable segments ask whether memory can be shared between machines:
// it answers that nothing is known.
namespace {
constexpr int success = 0;
constexpr int not_supported = 3;
}  // namespace

extern "C" {
int nvmlInit_v2() { return success; }
int nvmlSystemGetCudaDriverVersion_v2(int* version) { return *version = 13000, success; }
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  static char any;
  return *device = &any, success;
}
int nvmlDeviceGetNvLinkRemoteDeviceType(...) { return not_supported; }
int nvmlDeviceGetNvLinkRemotePciInfo_v2(...) { return not_supported; }
int nvmlDeviceGetGpuFabricInfoV(...) { return not_supported; }
int nvmlDeviceGetComputeRunningProcesses(void*, unsigned* count, void*) {
  return *count = 0, success;
}
}
