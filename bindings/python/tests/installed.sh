#!/usr/bin/env bash
# Builds the wheel, the sdist, and a wheel from the sdist; installs either wheel
# as a stranger would, in an empty environment outside the tree; runs there those
# of the tests that an installation can break; and takes it away again.
# installed.sh VENV: an environment with ci/requirements.txt, which builds.
set -euo pipefail

# How the library is found, what is offered, and each system. The others ask the
# same of the same modules, for minutes.
tests=(library public fork lifetime record event message pubsub)

use='import eventbroker; assert eventbroker.EventBroker(1).create("t", 1); print(eventbroker._ffi._library._name)'

die() {
    echo "installed.sh: $*" >&2
    exit 1
}

# pip ARGUMENT...: offline; what is needed to build is there.
pip() { "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }

# wheel FOLDER SOURCE: builds into the folder, somewhere else than in the source.
wheel() { (cd "$work" && pip wheel --no-build-isolation --no-index --no-deps --wheel-dir "$1" "$2"); }

build() {
    wheel "$work/from-checkout" "$project"
    (cd "$project" && "$venv/bin/python" -c "import build_backend; build_backend.build_sdist('$work')")
    sdist=$(echo "$work"/eventbroker-*.tar.gz)
    wheel "$work/from-sdist" "$sdist"
}

# contains LISTING FILE...
contains() {
    local file
    for file in "${@:2}"; do
        grep -qE "$file" <<<"$1" || die "there is no $file in: $1"
    done
}

# The names of files of ours; a link would lead out of the archive.
judge_archives() {
    local wheel listing
    listing=$(tar -tvzf "$sdist")
    contains "$listing" '/LICENSE$' '/go/go.sum$' '/go/broker/event/.*\.go$' '/go/cabi/shim.c$' '/py.typed$'
    ! grep -E '^l|_test\.go$' <<<"$listing" || die 'the sdist has what does not belong there'
    for wheel in "$work"/from-*/*; do
        [[ $wheel == */eventbroker-*-py3-none-manylinux_* ]] || die "$wheel is not tagged manylinux"
        contains "$("$venv/bin/python" -m zipfile -l "$wheel")" 'licenses/LICENSE ' 'eventbroker/NOTICES ' \
            'eventbroker/libeventbroker.so.1 ' 'py.typed '
    done
}

# with_installed WHEEL COMMAND...: nothing is left of it when the command is done.
with_installed() {
    local before
    python3 -m venv --clear --without-pip "$work/empty"
    before=$(find "$work/empty" | sort)
    pip --python "$work/empty/bin/python" install --no-index "$1"
    "${@:2}"
    pip --python "$work/empty/bin/python" uninstall --yes eventbroker
    diff <(echo "$before") <(find "$work/empty" | sort) || die 'uninstalling left files behind'
}

# With nothing but the standard library, and the library that came along.
can_be_used() {
    local loaded
    loaded=$(cd "$work" && "$work/empty/bin/python" -I -c "$use")
    [[ $loaded == "$work/empty/"*/eventbroker/libeventbroker.so.1 ]] || die "loaded $loaded"
}

passes_its_tests() {
    local files=("${tests[@]/#/tests/test_}")
    files=("${files[@]/%/.py}")
    can_be_used
    cp -r "$project/tests" "$project/pyproject.toml" "$work"
    cp "$project/../../conformance/adapters/python/handles.py" "$work/tests" # which they use
    (cd "$work" && PYTHONPATH=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
        "$work/empty/bin/python" -m pytest -q "${files[@]}" --pyargs eventbroker)
}

main() {
    [[ $# -eq 1 && -x $1/bin/python ]] || { echo "usage: installed.sh VENV" >&2; exit 2; }
    unset EVENTBROKER_LIBRARY PYTHONPATH
    venv=$(cd "$1" && pwd)
    project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    build
    judge_archives
    with_installed "$work"/from-sdist/*.whl can_be_used
    with_installed "$work"/from-checkout/*.whl passes_its_tests
}

main "$@"
