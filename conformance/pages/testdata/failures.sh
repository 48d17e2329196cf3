# What the scripts in blocks.yaml that fail share: they run in a folder of their
# own, with the tree in $ROOT, its library in $LIB, and in $APP what comes of
# program, linked to it and not told where it is.
# shellcheck shell=bash
set -euo pipefail
export CMAKE_GENERATOR=Ninja

# py PROGRAM, or py - for one that is read.
py() { if [[ $1 == - ]]; then python3 -; else python3 -c "$1"; fi; }

# program: the source of one that makes a broker.
program() { echo '#include <eventbroker/event.hpp>
    int main() { eventbroker::EventBroker b(1); b.create("t", 1); }'; }

# cpp FLAG...: compiles what it reads to ./app.
cpp() { c++ -std=c++17 -x c++ - -x none -o app -I"$ROOT/cabi" -I"$ROOT/bindings/cpp/include" "$@"; }

# What the program calls besides, for a library that has too little.
export others='void eb_event_new(void) {} void eb_event_close(void) {} void eb_last_error(void) {} void eb_strerror(void) {}'

# library SOURCE FLAG...: another file of the library's name.
library() {
    echo "$1" | gcc -x c -shared -o libeventbroker.so.1 - -Wl,-soname,libeventbroker.so.1 \
        -Wl,--version-script="$ROOT/cabi/eventbroker.map" "${@:2}"
}

# another_processor: the library as for RISC-V.
another_processor() {
    cp "$LIB/libeventbroker.so.1" .
    printf '\xf3\x00' | dd of=libeventbroker.so.1 bs=1 seek=18 conv=notrunc status=none
}

# newer_glibc: the library as if it needed a glibc that nobody has yet.
newer_glibc() { LC_ALL=C sed 's/GLIBC_2\.34/GLIBC_2.94/g' "$LIB/libeventbroker.so.1" >libeventbroker.so.1; }

# project COMMAND: a project of CMake's in this folder.
project() { printf 'cmake_minimum_required(VERSION 3.21)\nproject(app LANGUAGES CXX)\n%s\n' "$1" >CMakeLists.txt; }

# without TOOL: fills ./bin with what a build needs, but for that.
without() {
    local tool
    mkdir bin
    for tool in bash dirname mkdir go gcc cc g++ c++ as ld make ninja cmake; do
        [[ $tool == "$1" ]] || ln -s "$(command -v "$tool")" bin/ 2>/dev/null || true
    done
}
