#!/usr/bin/env bash
# Builds libeventbroker.so.1, and the link libeventbroker.so to it, into a
# folder. Further arguments go to `go build`, before the package: -tags, -asan.
# With -g in front the library keeps its symbols and what a debugger needs.
set -euo pipefail

usage() {
    echo "usage: cabi/build.sh [-g] FOLDER [GO BUILD FLAG]..." >&2
    exit 2
}

need() {
    command -v "$1" >/dev/null || { echo "cabi/build.sh: $1 is missing; $2" >&2; exit 1; }
}

main() {
    local strip='-s -w'
    [[ ${1-} != -g ]] || { strip='' && shift; }
    [[ $# -ge 1 && $1 != -* ]] || usage
    need go 'install Go 1.25 or later (https://go.dev/doc/install)'
    need gcc 'install it with: apt-get install gcc libc6-dev'
    local here out name=libeventbroker.so.1
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    mkdir -p "$1"
    out=$(cd "$1" && pwd)
    shift

    # The names inside are the border's own business: only eb_* leave. cgo
    # refuses a version script in #cgo lines, so it stands here.
    local linker="'-Wl,--version-script=$here/eventbroker.map' -Wl,-soname,$name -Wl,--no-undefined"
    # Moved into place in one step: a program that has the old library open must
    # not see it change. cgo's own header stays behind; ours is eventbroker.h.
    work=$(mktemp -d "$out/.build.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    (cd "$here" && CGO_ENABLED=1 go build -buildmode=c-shared -trimpath \
        -ldflags="$strip -extldflags \"$linker\"" "$@" -o "$work/$name" .)
    ln -s "$name" "$work/libeventbroker.so"
    mv -f "$work/$name" "$work/libeventbroker.so" "$out/"
}

main "$@"
