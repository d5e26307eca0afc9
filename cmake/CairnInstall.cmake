# Libraries, headers, program, pkg-config file, CMake package, manual page, completions of shells, documents and examples.
# All of it may be moved after installation: paths in the package files are relative to the files.
include(CMakePackageConfigHelpers)

set(cairn_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(TARGETS cairn cairn_static cairn_io cairn_io_static EXPORT cairn-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT cairn-targets NAMESPACE cairn:: DESTINATION ${cairn_package_dir})
install(DIRECTORY include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
if(TARGET cairn_cli)
    install(TARGETS cairn_cli cairn_papers RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# --- What the program tells of itself: it must be able to run here ---

if(TARGET cairn_cli AND NOT CMAKE_CROSSCOMPILING)
    set(folder ${PROJECT_BINARY_DIR}/reference)
    set(told ${folder}/cairn.1 ${folder}/cairn.bash ${folder}/_cairn ${folder}/cairn.fish)
    add_custom_command(OUTPUT ${told}
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:cairn_cli> -DFOLDER=${folder}
            -P ${PROJECT_SOURCE_DIR}/cmake/CairnReference.cmake
        DEPENDS cairn_cli cmake/CairnReference.cmake VERBATIM)
    add_custom_target(cairn_reference ALL DEPENDS ${told})
    install(FILES ${folder}/cairn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${folder}/cairn.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cairn)
    install(FILES ${folder}/_cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${folder}/cairn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# --- Documents and examples ---

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN *.md PATTERN *.bib PATTERN *.png PATTERN scene.schema.json PATTERN api.md EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN *.c PATTERN *.py PATTERN expected EXCLUDE)

# --- Packages ---

set(cairn_config_json "")
set(cairn_config_hdf5 "")
set(cairn_config_xml "")
if(CAIRN_JSON)
    set(cairn_config_json ${cairn_json_module})
endif()
if(CAIRN_HDF5)
    set(cairn_config_hdf5 ${cairn_hdf5_module})
endif()
if(CAIRN_XML)
    set(cairn_config_xml ${cairn_xml_module})
endif()
configure_package_config_file(cmake/cairn-config.cmake.in ${PROJECT_BINARY_DIR}/cairn-config.cmake
    INSTALL_DESTINATION ${cairn_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cairn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairn-config.cmake ${PROJECT_BINARY_DIR}/cairn-config-version.cmake
    DESTINATION ${cairn_package_dir})

set(cairn_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH cairn_pc_to_prefix /prefix/${cairn_pc_dir} /prefix)
string(REGEX REPLACE "/$" "" cairn_pc_to_prefix ${cairn_pc_to_prefix})
string(REPLACE ";" ", " cairn_pc_io_requires "${cairn_io_modules}")
string(STRIP "-lm ${cairn_threads}" cairn_pc_libs)
foreach(name IN LISTS cairn_openmp_names)
    string(APPEND cairn_pc_libs " -l${name}")
endforeach()
foreach(name IN ITEMS cairn cairn-io)
    configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${cairn_pc_dir})
endforeach()
