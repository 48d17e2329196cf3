# The kit and all that it judges of ours; sourced, not run.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build_all() {
    mkdir -p "$build/bin"
    cd "$root"
    "$root/cabi/build.sh" "$build/lib"
    "$root/cabi/build.sh" "$build/lib-ebtest" -tags ebtest
    go build -o "$build/bin/" ./conformance/cmd/conform
    go build -o "$build/bin/adapter-go" ./conformance/adapters/go
    accelerator
    cmake -S conformance/adapters -B "$build/adapters" -G Ninja -DCMAKE_BUILD_TYPE=Release
    cmake --build "$build/adapters"
}

# kit says what it does on standard error: standard output is its caller's.
kit() {
    {
        packages cmake ninja-build libjansson-dev nlohmann-json3-dev
        step 'build' build_all
    } >&2
}
