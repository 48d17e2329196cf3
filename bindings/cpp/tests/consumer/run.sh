#!/usr/bin/env bash
# Installs the binding, moves the installed tree elsewhere, and builds programs
# against it as a stranger would: with find_package and with pkg-config.
set -euo pipefail

need() {
    command -v "$1" >/dev/null || { echo "run.sh: $1 is missing; install it with: apt-get install $2" >&2; exit 1; }
}

# run PROGRAM WANT: the program succeeds and prints that.
run() {
    local got
    got=$("$1") || { echo "run.sh: $1 failed" >&2; exit 1; }
    [[ $got == "$2" ]] || { echo "run.sh: $1 printed '$got', not '$2'" >&2; exit 1; }
}

declare -A prints=([c]='0 0 a' [cpp]='BrokerRecord("orders", 0, 0, "a")')

install_and_move() {
    cmake -S "$binding" -B "$work/build" -DEVENTBROKER_TESTS=OFF -DEVENTBROKER_LIBRARY_DIR="$library_dir"
    cmake --install "$work/build" --prefix "$work/installed"
    mv "$work/installed" "$work/moved"
}

with_find_package() {
    local language
    for language in c cpp; do
        cmake -S "$here/$language" -B "$work/$language" -DCMAKE_PREFIX_PATH="$work/moved"
        cmake --build "$work/$language"
        run "$work/$language/consumer" "${prints[$language]}"
    done
}

with_pkg_config() {
    local flags=()
    PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name eventbroker.pc)")
    export PKG_CONFIG_PATH
    read -ra flags <<<"$(pkg-config --cflags --libs eventbroker) -Wl,-rpath,$(pkg-config --variable=libdir eventbroker)"
    c++ -std=c++17 "$here/cpp/main.cpp" "${flags[@]}" -o "$work/by-pkg-config"
    run "$work/by-pkg-config" "${prints[cpp]}"
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$here/c/main.c" "${flags[@]}" -o "$work/by-pkg-config"
    run "$work/by-pkg-config" "${prints[c]}"
}

main() {
    [[ $# -le 1 ]] || { echo "usage: run.sh [FOLDER OF libeventbroker.so.1]" >&2; exit 2; }
    need cmake cmake
    need c++ g++
    need pkg-config pkgconf
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    binding=$(cd "$here/../.." && pwd)
    library_dir=${1:-$binding/../../build/lib}
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    install_and_move
    with_find_package
    with_pkg_config
}

main "$@"
