# cairn_target(TARGET): the language, the warnings and the arithmetic that all our own code is compiled with.
include(${CMAKE_CURRENT_LIST_DIR}/CairnMachine.cmake)

function(cairn_target target)
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    # No contraction to fused multiply-add: the same source gives the same bits with and without it in the processor.
    target_compile_options(${target} PRIVATE -ffp-contract=off
        $<$<COMPILE_LANGUAGE:C>:${cairn_machine_options}>
        $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Wstrict-prototypes>
        $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${CAIRN_WERROR}>>:-Werror>)
endfunction()
