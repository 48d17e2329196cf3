# Shared by the commands in this folder; sourced, not run.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
logs=$build/logs

die() {
    echo "ci/$(basename "$0"): $*" >&2
    exit 1
}

# helps ARGUMENT...: ends with the command's first remark where --help is asked for.
helps() {
    [[ ${1-} == -h || ${1-} == --help ]] || return 0
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit
}

# takes_none ARGUMENT...: for commands that would pass over what was meant.
takes_none() {
    helps "$@"
    [[ $# -eq 0 ]] || die 'takes no arguments, but --help'
}

# need COMMAND HINT: the four things that this project asks a machine to have.
need() {
    command -v "$1" >/dev/null || die "$1 is missing; $2"
}

need_toolchains() {
    need go 'install Go 1.25 or later: https://go.dev/doc/install'
    need python3 'install it with: apt-get install python3'
    need gcc 'install it with: apt-get install gcc libc6-dev'
    need g++ 'install it with: apt-get install g++'
}

embeddable='from sysconfig import *
from pathlib import Path
assert get_config_var("Py_ENABLE_SHARED") and Path(get_path("include"), "Python.h").exists()'

# has NAME: whether a package is here. Node.js and Python may come from elsewhere;
# Debian keeps apart what venv needs and what embedding does.
has() {
    [[ $1 == python3-dev ]] && python3 -c "$embeddable" 2>/dev/null && return
    [[ $1 == nodejs ]] && command -v node >/dev/null && return
    [[ $1 == python3-venv ]] && python3 -c 'import ensurepip' 2>/dev/null && return
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# Two checkouts may want packages at once, and so may the machine itself.
install='apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=600 "$@"'

# packages NAME...: Debian packages, installed where we may, else named.
packages() {
    local missing=() name
    for name in "$@"; do
        has "$name" || missing+=("$name")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    [[ $(id -u) -eq 0 ]] || die "install first: sudo apt-get install ${missing[*]}"
    step "apt-get install ${missing[*]}" \
        flock /var/lib/apt/lists bash -c "$install" _ "${missing[@]}"
}

# step TITLE COMMAND...: quiet when all is well; the whole output when it is not.
# A function fails with the first of its commands that does: in a subshell of its
# own, since `function || status=$?` would turn errexit off within the function,
# and the status would be that of its last command.
step() {
    local title=$1 log=$logs/${1//[^A-Za-z0-9]/-}.log began=$SECONDS status
    shift
    mkdir -p "$logs"
    set +e
    (set -e && "$@") >"$log" 2>&1
    status=$?
    set -e
    if [[ $status -ne 0 ]]; then
        cat "$log" >&2
        die "$title: failed with exit code $status (log: ${log#"$root/"})"
    fi
    echo "ok   $title ($((SECONDS - began)) s)"
}

# venv: a Python environment with what the tests need, kept between runs.
venv() {
    local wanted=$root/ci/requirements.txt
    cmp -s "$wanted" "$build/venv/requirements.txt" && return
    python3 -m venv --clear "$build/venv"
    "$build/venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$build/venv/requirements.txt"
}

# accelerator: the extension of the Python package, in place. A Python that comes
# from elsewhere than Debian brings its headers along.
accelerator() {
    local status=0
    "$root/bindings/python/accel/build.sh" "$root/bindings/python/src/eventbroker" || status=$?
    [[ $status -eq 3 ]] || return "$status"
    packages python3-dev
    "$root/bindings/python/accel/build.sh" "$root/bindings/python/src/eventbroker"
}
