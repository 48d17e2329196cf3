# What the scripts of blocks.yaml that fail have in common: they run in an empty
# folder, with the tree in $ROOT and its library in $LIB.
# shellcheck shell=bash
set -euo pipefail

py() { python3 -c "$@"; }

# cpp FLAG...: compiles standard input to ./app.
cpp() { c++ -std=c++17 -x c++ - -o app -I"$ROOT/cabi" -I"$ROOT/bindings/cpp/include" -L"$LIB" -pthread "$@" -leventbroker; }
