# The BUILD files of Go, ours and those of third-party modules; sourced by ci/bazel.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

gazelle=$build/tools/gazelle-v0.42.0/gazelle # a later one needs rules that a build with Bazel 4 has not

# build_gazelle asks the network only for what was never here: `go install` would
# ask in any case whether there are newer modules of that name.
build_gazelle() {
    [[ ! -x $gazelle ]] || return 0
    GOPROXY=file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY) GOBIN=$(dirname "$gazelle") \
        go install github.com/bazelbuild/bazel-gazelle/cmd/gazelle@v0.42.0
}

# imported: the packages of third-party modules that anything here is built from,
# a line each: module version package. rules_go's own are its own affair.
imported() {
    go list -deps -test -f '{{with .Module}}{{if .Version}}{{.Path}} {{.Version}} {{$.ImportPath}}{{end}}{{end}}' ./... |
        awk '$1 != "github.com/bazelbuild/rules_go" && $3 !~ /\.test$/' | LC_ALL=C sort -u
}

# repository_name MODULE: golang.org/x/sys is org_golang_x_sys.
repository_name() {
    awk -F/ '{
        for (n = split($1, host, "."); n > 0; n--) printf "%s%s", host[n], (n > 1 ? "_" : "")
        for (i = 2; i <= NF; i++) { gsub(/[^A-Za-z0-9]/, "_", $i); printf "_%s", $i }
    }' <<<"$1"
}

write_modules() {
    local module version sum name
    echo '"""Third-party modules as go.mod and go.sum have them. Made by ci/bazel --update."""'
    echo
    echo 'load(":go_repository.bzl", "go_repository")'
    echo
    echo 'def go_modules():'
    while read -r module version; do
        sum=$(awk -v m="$module" -v v="$version" '$1 == m && $2 == v { print $3 }' go.sum)
        name=$(repository_name "$module")
        printf '    go_repository(\n'
        printf '        name = "%s",\n' "$name"
        printf '        build_files = Label("//conformance/bazel:%s.patch"),\n' "$name"
        printf '        %s = "%s",\n' importpath "$module" sum "$sum" version "$version"
        printf '    )\n'
    done
}

# write_patch WORKSPACE MODULE VERSION PACKAGE...: a patch that adds Gazelle's
# BUILD files to the packages, made in a copy of the module.
write_patch() {
    local workspace=$1 module=$2 version=$3 copy file
    shift 3
    copy=$(mktemp -d)
    cp -r --no-preserve=mode "$(go list -m -f '{{.Dir}}' "$module@$version")/." "$copy"
    find "$copy" -name '*_test.go' -delete -o -name 'BUILD*' -type f -delete
    (cd "$copy" && "$gazelle" -r=false -repo_root . -repo_config "$workspace" -external static -go_prefix "$module" \
        -go_naming_convention import -go_naming_convention_external import -proto disable_global "${@/#$module/.}" 1>&2)
    (cd "$copy" && find . -name BUILD.bazel -printf '%P\n' | LC_ALL=C sort) | while read -r file; do
        echo "diff -u /dev/null b/$file" # without a line that says so, Bazel sees no end of a file
        diff -u --label /dev/null --label "b/$file" /dev/null "$copy/$file" || [[ $? -eq 1 ]]
    done
    rm -rf "$copy"
}

# write_third_party FOLDER: modules.bzl, and a patch a module.
write_third_party() {
    local found modules module version packages
    found=$(imported)
    modules=$(awk '{ print $1, $2 }' <<<"$found" | uniq)
    write_modules <<<"$modules" >"$1/modules.bzl"
    echo '# gazelle:repository_macro modules.bzl%go_modules' >"$1/WORKSPACE"
    while read -r module version; do
        mapfile -t packages < <(awk -v m="$module" '$1 == m { print $3 }' <<<"$found")
        write_patch "$1/WORKSPACE" "$module" "$version" "${packages[@]}" >"$1/$(repository_name "$module").patch"
    done <<<"$modules"
    rm "$1/WORKSPACE"
}

update_build_files() {
    local fresh
    fresh=$(mktemp -d)
    write_third_party "$fresh"
    rm -f conformance/bazel/*.patch
    mv "$fresh"/* conformance/bazel/
    rmdir "$fresh"
    "$gazelle" -external static
}

# check_build_files: they still say what the imports say.
check_build_files() {
    local fresh status=0
    fresh=$(mktemp -d)
    write_third_party "$fresh"
    diff -ru -x BUILD.bazel -x go_repository.bzl conformance/bazel "$fresh" || status=1
    rm -rf "$fresh"
    "$gazelle" -external static -mode diff || status=1
    [[ $status -eq 0 ]] || echo 'the BUILD files do not follow the Go source: ci/bazel --update makes them anew' >&2
    return $status
}
