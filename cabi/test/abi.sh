#!/usr/bin/env bash
# Compares the library with the description of its interface in cabi/abi, which
# is named after EB_ABI_MAJOR and EB_ABI_MINOR: whatever a program that is built
# already relies on may change only with the version. --update writes the
# description anew.
set -euo pipefail

die() {
    echo "abi.sh: $*" >&2
    exit 1
}

# version: as the header has it.
version() {
    local major minor
    major=$(awk '$2 == "EB_ABI_MAJOR" { print $3 }' "$cabi/eventbroker.h")
    minor=$(awk '$2 == "EB_ABI_MINOR" { print $3 }' "$cabi/eventbroker.h")
    echo "$major.$minor"
}

# describe LIBRARY FILE [OPTION]...: what the public header says, without a path
# of this machine. The C library's own types come from other headers.
describe() {
    abidw "${@:3}" --headers-dir "$work/include" --drop-private-types --drop-undefined-syms --no-architecture \
        --no-elf-needed --no-corpus-path --no-comp-dir-path --no-show-locs --out-file "$2" "$1"
}

# functions: with the types of their parameters.
functions() {
    "$cabi/build.sh" -g "$work/lib"
    describe "$work/lib/libeventbroker.so.1" "$work/functions.xml"
}

# types: all of them, since those of frames are no parameter's. A compiler passes
# over what is not used unless told not to; the C library's stdint.h has private
# types by the dozen; and abidw refuses a file without a symbol.
types() {
    local bits
    for bits in 8 16 32 64; do
        echo "typedef __INT${bits}_TYPE__ int${bits}_t; typedef __UINT${bits}_TYPE__ uint${bits}_t;"
    done >"$work/include/stdint.h"
    printf '#include <eventbroker.h>\nint a_symbol;\n' >"$work/types.c"
    (cd "$work" && cc -g -fdebug-prefix-map="$work=." -fno-eliminate-unused-debug-types -nostdinc -I include \
        -shared -fPIC -o types.so types.c)
    describe "$work/types.so" "$work/types.xml" --load-all-types
    grep -q "name='eb_event_record'" "$work/types.xml" || die 'this compiler, or abidw, leaves out the types of frames'
}

compare() {
    local status=0
    [[ -d $recorded ]] || die "there is no cabi/abi/$(version); write it with: cabi/test/abi.sh --update"
    abidiff --harmless --no-architecture "$recorded/functions.xml" "$work/functions.xml" || status=1
    abidiff --harmless --no-architecture --non-reachable-types "$recorded/types.xml" "$work/types.xml" || status=1
    [[ $status -eq 0 ]] || die "the interface is no longer $(version). Raise EB_ABI_MINOR when something was only added," \
        "EB_ABI_MAJOR otherwise, and run cabi/test/abi.sh --update"
}

update() {
    rm -rf "$cabi/abi"
    mkdir -p "$recorded"
    mv "$work/functions.xml" "$work/types.xml" "$recorded"
}

main() {
    local action=compare
    [[ ${1-} != --update ]] || { action=update && shift; }
    [[ $# -eq 0 ]] || { echo "usage: abi.sh [--update]" >&2; exit 2; }
    command -v abidiff >/dev/null || die 'abidiff is missing; install it with: apt-get install abigail-tools'
    cabi=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    recorded=$cabi/abi/$(version)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/include"
    cp "$cabi/eventbroker.h" "$work/include"
    functions
    types
    "$action"
}

main "$@"
