#!/usr/bin/env bash
# Compares what a library exports with the checked-in list.
set -euo pipefail

main() {
    [[ $# -eq 2 ]] || { echo "usage: symbols.sh LIBRARY LIST" >&2; exit 2; }
    command -v nm >/dev/null || { echo "symbols.sh: nm is missing; install it with: apt-get install binutils" >&2; exit 1; }
    diff -u "$2" <(nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort)
}

main "$@"
