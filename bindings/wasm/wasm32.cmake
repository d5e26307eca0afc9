# Toolchain file: clang for WebAssembly with Debian's wasi-libc (tools/setup --wasm).
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_COMPILER_WORKS ON)
