# What lets Debian's Bazel 4.2.3 build what is written for 6.5 and 7, without a
# network: the rules of Debian, and those for Go made to do without what came
# later. Sourced by ci/bazel.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

rules=$build/bazel4

# edit FILE SED...: an edit that changes nothing is one that no longer fits.
edit() {
    local file=$1 old
    shift
    old=$(<"$file")
    sed -i -E "$@" "$file"
    [[ $(<"$file") != "$old" ]] || { echo "nothing to edit in $file: $*" >&2; return 1; }
}

# rules_for_go, release 0.57.0, which asks for Bazel 6.5.
rules_for_go() {
    local private=$rules/rules_go/go/private file
    cp -r --no-preserve=mode "$(go list -m -f '{{.Dir}}' github.com/bazelbuild/rules_go)" "$rules/rules_go"
    # Bazel 5.1 has repository_os.arch, 6 read_user_netrc.
    edit "$private/sdk.bzl" -e 's/ctx\.os\.arch/ctx.execute(["uname", "-m"]).stdout.strip()/' \
        -e 's/"read_user_netrc"/read_user_netrc = "read_netrc"/' -e '/^load/s/(read_user_netrc = .*), ("use_netrc")/\2, \1/'
    # 5.3 has RunEnvironmentInfo, 5 the fragment of coverage.
    edit "$private/rules/binary.bzl" -e 's/providers\.append\(RunEnvironmentInfo\(.*\)\)$/pass/'
    edit "$private/rules/test.bzl" -e 's/RunEnvironmentInfo\(env, .*\)/testing.TestEnvironment(env)/' \
        -e 's/configuration_field\(fragment = "coverage".*\)/None/' -e 's/\.repo_name/.workspace_name/'
    # 6 has toolchains that may be missing, Label.repo_name, and 5 runfiles.merge_all.
    edit "$private/context.bzl" -e 's/config_common\.toolchain_type\((.*), mandatory = False\)/\1/' \
        -e 's/:optional_current_cc_toolchain/:current_cc_toolchain/' -e 's/, mandatory = False//' -e 's/\.repo_name/.workspace_name/' \
        -e 's/(go\._ctx\.runfiles\(transitive_files = files\))\.merge_all\(/merge_all(\1, /'
    edit "$private/actions/archive.bzl" -e 's/(source\.runfiles)\.merge_all\(/merge_all(\1, /'
    printf 'def merge_all(all, more):\n    for one in more:\n        all = all.merge(one)\n    return all\n' >"$private/merge_all.bzl"
    for file in context.bzl actions/archive.bzl; do
        edit "$private/$file" -e '0,/^load\(/s//load("\/\/go\/private:merge_all.bzl", "merge_all")\nload(/'
    done
    # 6 has toolchains of actions; before, a transition needed whole labels.
    grep -rlE '^ +toolchain = (None|GO_TOOLCHAIN_LABEL),' "$rules/rules_go/go" --include='*.bzl' | while read -r file; do
        edit "$file" -e '/^ +toolchain = (None|GO_TOOLCHAIN_LABEL),/d'
    done
    edit "$private/rules/transition.bzl" -e '/^load\(/,/^\)/!s|"//go/|"@io_bazel_rules_go//go/|g'
    # The package of platforms has @platforms//host from 0.0.9.
    edit "$private/rules/go_bin_for_host.bzl" -e 's|@platforms//host:|@local_config_platform//:|'
}

# rules_of_debian: its rules for C are newer than its Bazel, its platforms older.
rules_of_debian() {
    cp -r --no-preserve=mode /usr/share/bazel/rules/cc "$rules/rules_cc"
    edit "$rules/rules_cc/cc/private/rules_impl/cc_flags_supplier.bzl" -e 's/, "use_cpp_toolchain"//' \
        -e 's|use_cpp_toolchain\(\)|["@bazel_tools//tools/cpp:toolchain_type"]|'
    edit "$rules/rules_cc/cc/private/rules_impl/compiler_flag.bzl" -e 's/, "use_cpp_toolchain"//' \
        -e 's|use_cpp_toolchain\(\)|["@bazel_tools//tools/cpp:toolchain_type"]|'
    cp -r --no-preserve=mode /usr/share/bazel/platforms "$rules/platforms"
    printf 'constraint_value(\n    name = "ppc64le",\n    constraint_setting = ":cpu",\n)\n' >>"$rules/platforms/cpu/BUILD"
}

# stand_ins: named by rules that nothing here makes use of.
stand_ins() {
    mkdir -p "$rules/rules_shell/shell" "$rules/remote_coverage_tools"
    touch "$rules"/{rules_shell,remote_coverage_tools}/WORKSPACE "$rules/rules_shell/shell/BUILD"
    echo 'sh_test = native.sh_test' >"$rules/rules_shell/shell/sh_test.bzl"
    echo 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])' \
        >"$rules/remote_coverage_tools/BUILD"
}

# write_bazelrc: the project's own but for what Bazel 4 has not heard of. Compilers
# run without a sandbox, whose links to hundreds of files take longer than most of
# them: rules_go tells its own each file, and Bazel looks through gcc's .d files.
write_bazelrc() {
    local name
    grep -v bzlmod "$root/.bazelrc"
    for name in GoToolchainBinaryBuild GoStdlib GoCompilePkg GoLink CppCompile CppLink; do
        echo "build --strategy=$name=local"
    done
    echo 'startup --host_jvm_args=-XX:TieredStopAtLevel=1' # its better compiler does not pay in minutes
    for name in rules_cc platforms rules_shell remote_coverage_tools; do
        echo "common --override_repository=$name=$rules/$name"
    done
    echo "common --override_repository=io_bazel_rules_go=$rules/rules_go"
    echo "common --override_repository=bazel_skylib=/usr/share/bazel/tools/skylib"
    echo "common --override_repository=rules_java=/usr/share/bazel/rules/java"
    echo 'build --nosandbox_debug' # which Debian turns on
    echo 'build --experimental_convenience_symlinks=ignore'
}

make_bazel4() {
    rm -rf "$rules"
    mkdir -p "$rules"
    echo 'module rules' >"$rules/go.mod" # else their Go source were ours
    rules_for_go
    rules_of_debian
    stand_ins
    write_bazelrc >"$rules/bazelrc"
}

bazel4() {
    USE_BAZEL_VERSION=4 bazel --noworkspace_rc --nohome_rc --bazelrc="$rules/bazelrc" "$@"
}
