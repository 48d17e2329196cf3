#!/usr/bin/env bash
# What must never be falsely green: the commands in this folder themselves.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lib=$here/lib.sh

fail() {
    echo "lib_test.sh: $*" >&2
    exit 1
}

# A shell of its own each time: errexit depends on where a command stands.
run() { bash -c "source '$lib'; root='$work' logs='$work/logs'; $1" >"$work/out" 2>&1; }

a_step_fails_with_any_of_its_commands() {
    run "f() { echo early; false; echo late; }; step 'a step' f; echo went on" &&
        fail 'a step passed though its first command failed'
    grep -q early "$work/out" || fail 'a failed step does not show its output'
    ! grep -qE 'late|went on' "$work/out" || fail 'a step went on after a failure'
}

a_step_passes_quietly() {
    run "step 'a step' echo hidden" || fail 'a good step failed'
    grep -q '^ok   a step' "$work/out" || fail 'a good step says nothing'
    ! grep -q hidden "$work/out" || fail 'a good step is not quiet'
}

missing_packages_are_named() {
    run "id() { echo 1000; }; dpkg-query() { return 1; }; packages cmake shellcheck" &&
        fail 'packages passed though they are missing'
    grep -q 'sudo apt-get install cmake shellcheck' "$work/out" || fail 'missing packages are not named'
}

what_comes_from_elsewhere_needs_no_package() {
    local nothing='id() { echo 1000; }; dpkg-query() { return 1; }; command() { python3; }' name
    for name in python3-venv python3-dev nodejs; do
        run "$nothing; python3() { return 0; }; packages $name" || fail "$name is asked for and not needed"
        run "$nothing; python3() { return 1; }; packages $name" && fail "$name is not asked for"
        grep -q "sudo apt-get install $name" "$work/out" || fail "$name is not named"
    done
}

# Who asks a long command for help, or mistypes, does not want it to begin.
help_begins_nothing() {
    local command=$work/command name
    printf '%s\n' '#!/usr/bin/env bash' '# What it does,' '# and how.' "source '$lib'" 'takes_none "$@"; echo begun' >"$command"
    [[ $(bash "$command" --help) == $'What it does,\nand how.' ]] || fail '--help does not print the first remark'
    bash "$command" --no-such-flag >"$work/out" 2>&1 && fail 'any argument is taken'
    grep -q 'takes no arguments, but --help' "$work/out" || fail 'an argument is not refused in words'
    [[ $(bash "$command") == begun ]] || fail 'without arguments nothing begins'
    for name in test prove; do
        grep -q '^ *takes_none "$@"' "$here/$name" || fail "ci/$name takes any argument"
    done
}

# Continuous integration installs what the file lists before it runs these.
every_package_is_listed() {
    local command name names
    for command in bazel bench kit.sh; do
        mapfile -t names < <(grep -oP '^ *packages \K[a-z].*' "$here/$command" | tr ' ' '\n')
        [[ ${#names[@]} -gt 0 ]] || fail "ci/$command asks for no packages"
        for name in "${names[@]}"; do
            grep -qx "$name" "$here/packages.txt" || fail "$name is not in ci/packages.txt"
        done
    done
}

main() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    a_step_fails_with_any_of_its_commands
    a_step_passes_quietly
    missing_packages_are_named
    what_comes_from_elsewhere_needs_no_package
    help_begins_nothing
    every_package_is_listed
}

main "$@"
