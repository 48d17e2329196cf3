#!/usr/bin/env bash
# Builds _accel.abi3.so, which works with every Python from 3.10 on, into a folder.
# Status 3 says that this machine has no compiler or no Python.h: eventbroker works
# without, by ctypes.
set -euo pipefail

usage() {
    echo "usage: accel/build.sh FOLDER [PYTHON]" >&2
    exit 2
}

unable() {
    echo "accel/build.sh: $1 is missing; install it with: apt-get install $2" >&2
    exit 3
}

main() {
    [[ $# -ge 1 && $# -le 2 && $1 != -* ]] || usage
    local here headers include python=${2:-python3}
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    headers=$here/../../../cabi
    [[ -d $headers ]] || headers=$here/../go/cabi # of an sdist
    include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    command -v gcc >/dev/null || unable gcc 'gcc libc6-dev'
    [[ -f $include/Python.h ]] || unable Python.h python3-dev
    mkdir -p "$1"
    # Moved into place in one step, as a program may have the old one open.
    made=$(mktemp "$1/.accel.XXXXXX")
    trap 'rm -f "$made"' EXIT
    gcc -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -isystem "$include" \
        -I "$headers" "$here"/*.c -o "$made"
    chmod 644 "$made"
    mv -f "$made" "$1/_accel.abi3.so"
}

main "$@"
