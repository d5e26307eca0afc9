# The libraries that optional parts need, found by pkg-config. A part is one file that knows its library and one that
# says "not in this build"; cairn_choose_sources() leaves out one of the two.
#
# The names here (PkgConfig::CAIRN_JANSSON, PkgConfig::CAIRN_HDF5_LIB) appear in the installed CMake package, which finds
# the libraries again by the modules in cairn_json_module and cairn_hdf5_module.
find_package(PkgConfig QUIET)

set(cairn_json_module jansson)
set(cairn_hdf5_module "")
set(cairn_has_hdf5 OFF)
if(PkgConfig_FOUND)
    foreach(module IN ITEMS hdf5-serial hdf5) # Debian has both names, others only the second
        if(NOT cairn_hdf5_module)
            pkg_check_modules(CAIRN_HDF5_PROBE QUIET ${module})
            if(CAIRN_HDF5_PROBE_FOUND)
                set(cairn_hdf5_module ${module})
                set(cairn_has_hdf5 ON)
            endif()
            unset(CAIRN_HDF5_PROBE_FOUND CACHE)
        endif()
    endforeach()
endif()

# cairn_choose_sources(LIST): find the libraries that are wanted, set cairn_libraries and cairn_modules, and take the
# files that do not apply out of the list.
macro(cairn_choose_sources list)
    set(cairn_libraries "")
    set(cairn_modules "")
    if(CAIRN_JSON AND NOT PkgConfig_FOUND)
        message(FATAL_ERROR "CAIRN_JSON is ON, but there is no pkg-config to find jansson with")
    endif()
    if(CAIRN_JSON)
        pkg_check_modules(CAIRN_JANSSON REQUIRED IMPORTED_TARGET ${cairn_json_module})
        list(APPEND cairn_libraries PkgConfig::CAIRN_JANSSON)
        list(APPEND cairn_modules ${cairn_json_module})
        list(FILTER ${list} EXCLUDE REGEX "/io/json_none\\.c$")
    else()
        list(FILTER ${list} EXCLUDE REGEX "/io/json\\.c$")
    endif()
    if(CAIRN_HDF5)
        if(NOT cairn_hdf5_module)
            message(FATAL_ERROR "CAIRN_HDF5 is ON, but pkg-config knows neither hdf5 nor hdf5-serial")
        endif()
        pkg_check_modules(CAIRN_HDF5_LIB REQUIRED IMPORTED_TARGET ${cairn_hdf5_module})
        list(APPEND cairn_libraries PkgConfig::CAIRN_HDF5_LIB)
        list(APPEND cairn_modules ${cairn_hdf5_module})
        list(FILTER ${list} EXCLUDE REGEX "/io/hdf5_none\\.c$")
    else()
        list(FILTER ${list} EXCLUDE REGEX "/io/hdf5\\.c$")
    endif()
endmacro()
