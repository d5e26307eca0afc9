# The page that plays recordings: apps/viewer, bundled by esbuild into one HTML file and compiled into the program.
#
# Its npm packages are installed beside its sources when CMake is configured, as package-lock.json names them. Without node,
# npm or a network the program is built without the page, and `cairn view` says so.
find_program(CAIRN_NODE node)
find_program(CAIRN_NPM npm)
mark_as_advanced(CAIRN_NODE CAIRN_NPM)
if(CAIRN_NODE AND CAIRN_NPM)
    set(cairn_has_node ON)
else()
    set(cairn_has_node OFF)
endif()
option(CAIRN_VIEWER "Build the page that plays recordings; needs node and npm (default: if they are there)" ${cairn_has_node})

get_filename_component(cairn_viewer_dir ${CMAKE_CURRENT_LIST_DIR}/../apps/viewer ABSOLUTE)

# cairn_install_packages(RESULT): npm packages as the lock file names them; nothing to do if they are there.
function(cairn_install_packages result)
    set(lock ${cairn_viewer_dir}/package-lock.json)
    set(stamp ${cairn_viewer_dir}/node_modules/.cairn-lock)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
    file(SHA256 ${lock} wanted)
    set(installed "")
    if(EXISTS ${stamp})
        file(READ ${stamp} installed)
    endif()
    set(${result} ON PARENT_SCOPE)
    if(installed STREQUAL wanted)
        return()
    endif()
    message(STATUS "Installing the npm packages of apps/viewer")
    execute_process(COMMAND ${CAIRN_NPM} ci --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${cairn_viewer_dir}
        RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(code EQUAL 0)
        file(WRITE ${stamp} ${wanted})
    else()
        message(WARNING "npm could not install the packages of apps/viewer; building without the page:\n${output}")
        set(${result} OFF PARENT_SCOPE)
    endif()
endfunction()

# cairn_viewer(LIST): put the page, or the file that says there is none, into the list of sources.
macro(cairn_viewer list)
    set(cairn_has_page OFF)
    if(CAIRN_VIEWER)
        cairn_install_packages(cairn_has_page)
    endif()
    if(cairn_has_page)
        set(cairn_page ${PROJECT_BINARY_DIR}/viewer/page.html)
        set(cairn_page_source ${PROJECT_BINARY_DIR}/viewer/web_template.c)
        file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${cairn_viewer_dir}/src/* ${PROJECT_SOURCE_DIR}/bindings/wasm/package/*.mjs)
        cairn_wasm(cairn_wasm_file)
        set(cairn_wasm_option "")
        if(cairn_wasm_file)
            set(cairn_wasm_option --wasm ${cairn_wasm_file})
        endif()
        add_custom_command(OUTPUT ${cairn_page} ${cairn_page_source}
            COMMAND ${CAIRN_NODE} ${cairn_viewer_dir}/build.mjs ${cairn_page} --c ${cairn_page_source} ${cairn_wasm_option}
            DEPENDS ${viewer_sources} ${cairn_wasm_file} ${cairn_viewer_dir}/build.mjs ${cairn_viewer_dir}/package-lock.json
            COMMENT "Bundling the page" VERBATIM)
        list(FILTER ${list} EXCLUDE REGEX "/web_template_none\\.c$")
        list(APPEND ${list} ${cairn_page_source})
    endif()
endmacro()
