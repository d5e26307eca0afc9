# cairn.wasm, the solver inside of pages: bindings/wasm, compiled by clang for WebAssembly. Without clang's target, wasm-ld and
# wasi-libc (tools/setup installs them) pages are films only.
find_program(CAIRN_WASM_CLANG clang)
find_program(CAIRN_WASM_LD NAMES wasm-ld wasm-ld-14 wasm-ld-15 wasm-ld-16 wasm-ld-17 wasm-ld-18 wasm-ld-19)
mark_as_advanced(CAIRN_WASM_CLANG CAIRN_WASM_LD)

# cairn_find_wasm(RESULT): can a small program be compiled and linked?
function(cairn_find_wasm result)
    set(${result} OFF PARENT_SCOPE)
    if(NOT CAIRN_WASM_CLANG OR NOT CAIRN_WASM_LD)
        return()
    endif()
    set(folder ${PROJECT_BINARY_DIR}/wasm-probe)
    file(WRITE ${folder}/probe.c "#include <math.h>\n#include <stdlib.h>\nint main(void) { return malloc(1) != NULL && sqrt(2.0) > 0.0; }\n")
    execute_process(COMMAND ${CAIRN_WASM_CLANG} --target=wasm32-wasi ${folder}/probe.c -o ${folder}/probe.wasm
        RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(code EQUAL 0)
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()

cairn_find_wasm(cairn_can_wasm)
option(CAIRN_WASM "Put the solver into pages, as WebAssembly; needs clang, wasm-ld and wasi-libc (default: if they are there)"
    ${cairn_can_wasm})

# cairn_wasm(FILE): the file that a page takes the solver from, made by a build of its own; "": there is none.
function(cairn_wasm file)
    set(${file} "" PARENT_SCOPE)
    if(NOT CAIRN_WASM)
        return()
    endif()
    set(source ${PROJECT_SOURCE_DIR}/bindings/wasm)
    set(folder ${PROJECT_BINARY_DIR}/wasm)
    file(GLOB_RECURSE wasm_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.[ch] ${PROJECT_SOURCE_DIR}/include/*.h
        ${source}/*.[ch] ${PROJECT_SOURCE_DIR}/apps/cli/sim_*.[ch] ${PROJECT_SOURCE_DIR}/apps/cli/text_buffer.[ch])
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    add_custom_command(OUTPUT ${folder}/cairn.wasm
        COMMAND ${CMAKE_COMMAND} -S ${source} -B ${folder} -DCMAKE_TOOLCHAIN_FILE=${source}/wasm32.cmake
            -DCMAKE_C_COMPILER=${CAIRN_WASM_CLANG} --log-level=WARNING
        COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MAKELEVEL
            ${CMAKE_COMMAND} --build ${folder} --parallel ${cores} -- -s
        DEPENDS ${wasm_sources} ${source}/CMakeLists.txt ${source}/wasm32.cmake
        COMMENT "Compiling the solver for WebAssembly" VERBATIM)
    set(${file} ${folder}/cairn.wasm PARENT_SCOPE)
    # The npm package cairn-wasm, put together in build/npm.
    set(package ${PROJECT_BINARY_DIR}/npm)
    add_custom_target(cairn_npm
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/package ${package}
        COMMAND ${CMAKE_COMMAND} -E copy ${folder}/cairn.wasm ${PROJECT_SOURCE_DIR}/LICENSE ${package}
        DEPENDS ${folder}/cairn.wasm VERBATIM)
endfunction()
