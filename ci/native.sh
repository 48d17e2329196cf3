# The tests of C and C++, plain and under sanitizers; sourced, not run, after lib.sh.
# shellcheck shell=bash disable=SC2154

c_format() { git ls-files '*.c' '*.h' '*.hpp' '*.cpp' | xargs clang-format --dry-run --Werror; }

# Libraries whose own accesses AddressSanitizer sees, and whose calls
# ThreadSanitizer knows to order the threads of C.
instrumented_libraries() {
    cabi/build.sh build/lib-asan -asan
    CGO_CFLAGS=-fsanitize=thread CGO_LDFLAGS=-fsanitize=thread cabi/build.sh build/lib-tsan
}

# with_cmake FOLDER SOURCE LIBRARY [OPTION]...: configures, builds and runs a test
# suite against the library in build/LIBRARY.
with_cmake() {
    local folder=$build/$1 source=$2 library=$build/$3
    shift 3
    cmake -S "$source" -B "$folder" -G Ninja -DEVENTBROKER_LIBRARY_DIR="$library" "$@"
    cmake --build "$folder"
    ctest --test-dir "$folder" --output-on-failure --no-tests=error
}

# native_tests LANGUAGE FOLDER SOURCE: all that are to be run of a suite. Under
# AddressSanitizer twice, and compiled once, since users have the library as it is.
native_tests() {
    local address=-DEVENTBROKER_SANITIZE=address,undefined
    step "$1: tests" with_cmake "$2" "$3" lib
    step "$1: tests under sanitizers" with_cmake "$2-asan" "$3" lib $address -DEVENTBROKER_LIBRARY_ASAN=OFF
    step "$1: tests of an instrumented library" with_cmake "$2-asan" "$3" lib-asan $address -DEVENTBROKER_LIBRARY_ASAN=ON
    step "$1: tests for races" with_cmake "$2-tsan" "$3" lib-tsan -DEVENTBROKER_SANITIZE=thread
}
