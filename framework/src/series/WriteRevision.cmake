# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
# Run at every build: writes OUTPUT when the revision of SOURCE_DIR has changed.
execute_process(
  COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12
  OUTPUT_VARIABLE revision
  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE failed)
if(failed)
  set(revision "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"revision.hpp\"
namespace headroom {
const char* const revision = \"${revision}\";
}  // namespace headroom
")
