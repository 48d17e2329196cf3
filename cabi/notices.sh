#!/usr/bin/env bash
# Prints the licences of what is linked into the library besides ours: whoever
# passes the library on has to pass them on, too. They are checked in as NOTICES;
# with --check it fails where that file is not what would be printed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# licence NAME FILE
licence() { printf '\n%s\n\n' "---- $1 ----" && cat "$2"; }

notices() {
    local module folder
    echo 'libeventbroker contains the work of others, under the licences below. That of'
    echo "golang.org/x/sys is also that of Go's runtime and standard library."
    while read -r module folder; do
        licence "$module" "$folder/LICENSE"
    done < <(cd "$here" && go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' . | sort -u)
}

case "$*" in
    '') notices ;;
    --check) diff -u "$here/NOTICES" <(notices) ;;
    *) echo 'usage: cabi/notices.sh [--check]' >&2 && exit 2 ;;
esac
