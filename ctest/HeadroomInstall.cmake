# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
# The installed package: find_package(headroom CONFIG REQUIRED).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
configure_package_config_file(ctest/headroomConfig.cmake.in headroomConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(headroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/headroomConfig.cmake
              ${PROJECT_BINARY_DIR}/headroomConfigVersion.cmake ctest/HeadroomTest.cmake
              ctest/HeadroomCblas.cmake ctest/HeadroomKernels.cmake
        DESTINATION ${package_dir})
install(EXPORT headroomTargets NAMESPACE headroom:: DESTINATION ${package_dir})
install(DIRECTORY framework/include/headroom kernels/include/headroom_kernels
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY budgets/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom)
install(DIRECTORY cards DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom)
