"""Third-party modules as go.mod and go.sum have them. Made by ci/bazel --update."""

load(":go_repository.bzl", "go_repository")

def go_modules():
    go_repository(
        name = "com_github_anishathalye_porcupine",
        build_files = Label("//conformance/bazel:com_github_anishathalye_porcupine.patch"),
        importpath = "github.com/anishathalye/porcupine",
        sum = "h1:fBZ4/NGNPnIDdd6xNtrNk9/GiEQ0L4FO5+scINN+t0E=",
        version = "v1.3.1",
    )
    go_repository(
        name = "com_github_google_go_cmp",
        build_files = Label("//conformance/bazel:com_github_google_go_cmp.patch"),
        importpath = "github.com/google/go-cmp",
        sum = "h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBybVuN8=",
        version = "v0.7.0",
    )
    go_repository(
        name = "com_github_mitchellh_colorstring",
        build_files = Label("//conformance/bazel:com_github_mitchellh_colorstring.patch"),
        importpath = "github.com/mitchellh/colorstring",
        sum = "h1:62I3jR2EmQ4l5rM/4FEfDWcRD+abF5XlKShorW5LRoQ=",
        version = "v0.0.0-20190213212951-d06e56a500db",
    )
    go_repository(
        name = "com_github_rivo_uniseg",
        build_files = Label("//conformance/bazel:com_github_rivo_uniseg.patch"),
        importpath = "github.com/rivo/uniseg",
        sum = "h1:WUdvkW8uEhrYfLC4ZzdpI2ztxP1I582+49Oc5Mq64VQ=",
        version = "v0.4.7",
    )
    go_repository(
        name = "com_github_santhosh_tekuri_jsonschema_v6",
        build_files = Label("//conformance/bazel:com_github_santhosh_tekuri_jsonschema_v6.patch"),
        importpath = "github.com/santhosh-tekuri/jsonschema/v6",
        sum = "h1:1EYB5IzjZawrrnELUi78f9fPu57HuXjmddZPjrls/28=",
        version = "v6.0.3",
    )
    go_repository(
        name = "com_github_schollz_progressbar_v3",
        build_files = Label("//conformance/bazel:com_github_schollz_progressbar_v3.patch"),
        importpath = "github.com/schollz/progressbar/v3",
        sum = "h1:iv8BgwOvdML/S3p84uBpy/IMigv4U9594vPZYa2EdrU=",
        version = "v3.19.1",
    )
    go_repository(
        name = "com_github_spf13_cobra",
        build_files = Label("//conformance/bazel:com_github_spf13_cobra.patch"),
        importpath = "github.com/spf13/cobra",
        sum = "h1:DMTTonx5m65Ic0GOoRY2c16WCbHxOOw6xxezuLaBpcU=",
        version = "v1.10.2",
    )
    go_repository(
        name = "com_github_spf13_pflag",
        build_files = Label("//conformance/bazel:com_github_spf13_pflag.patch"),
        importpath = "github.com/spf13/pflag",
        sum = "h1:9exaQaMOCwffKiiiYk6/BndUBv+iRViNW+4lEMi0PvY=",
        version = "v1.0.9",
    )
    go_repository(
        name = "com_github_stretchr_testify",
        build_files = Label("//conformance/bazel:com_github_stretchr_testify.patch"),
        importpath = "github.com/stretchr/testify",
        sum = "h1:EuwCh5fleGS7H32xRwO3wRGT7DxrDhLAT6FF8MpWDWE=",
        version = "v1.12.1",
    )
    go_repository(
        name = "io_etcd_go_bbolt",
        build_files = Label("//conformance/bazel:io_etcd_go_bbolt.patch"),
        importpath = "go.etcd.io/bbolt",
        sum = "h1:dEadXpI6G79deX5prL3QRNP6JB8UxVkqo4UPnHaNXJo=",
        version = "v1.4.3",
    )
    go_repository(
        name = "org_uber_go_goleak",
        build_files = Label("//conformance/bazel:org_uber_go_goleak.patch"),
        importpath = "go.uber.org/goleak",
        sum = "h1:2K3zAYmnTNqV73imy9J1T3WC+gmCePx2hEGkimedGto=",
        version = "v1.3.0",
    )
    go_repository(
        name = "in_yaml_go_yaml_v3",
        build_files = Label("//conformance/bazel:in_yaml_go_yaml_v3.patch"),
        importpath = "go.yaml.in/yaml/v3",
        sum = "h1:N6y/pJk8buWs9NY5ERU2HSMfm+IuD/OtfdAnq6kESPw=",
        version = "v3.0.5",
    )
    go_repository(
        name = "org_golang_x_sys",
        build_files = Label("//conformance/bazel:org_golang_x_sys.patch"),
        importpath = "golang.org/x/sys",
        sum = "h1:noSf2Fq6F8DBgS+LysIkx7rIExoNHJsxOAtPp4rthXw=",
        version = "v0.46.0",
    )
    go_repository(
        name = "org_golang_x_term",
        build_files = Label("//conformance/bazel:org_golang_x_term.patch"),
        importpath = "golang.org/x/term",
        sum = "h1:0rLvDRCtNj0gZkyIXhCyOb2OAzEhLVqc4B+hrsBhrmc=",
        version = "v0.44.0",
    )
    go_repository(
        name = "org_golang_x_text",
        build_files = Label("//conformance/bazel:org_golang_x_text.patch"),
        importpath = "golang.org/x/text",
        sum = "h1:bofq7m3/HAFvbF51jz3Q9wLg3jkvSPuiZu/pD1XwgtM=",
        version = "v0.22.0",
    )
    go_repository(
        name = "in_gopkg_yaml_v3",
        build_files = Label("//conformance/bazel:in_gopkg_yaml_v3.patch"),
        importpath = "gopkg.in/yaml.v3",
        sum = "h1:fxVm/GzAzEWqLHuvctI91KS9hhNmmWOoWu0XTYJS7CA=",
        version = "v3.0.1",
    )
    go_repository(
        name = "net_pgregory_rapid",
        build_files = Label("//conformance/bazel:net_pgregory_rapid.patch"),
        importpath = "pgregory.net/rapid",
        sum = "h1:vBvO0VSqti75J1jjYqpgPNBLKMd1+gxa9fYo7vk/Exc=",
        version = "v1.3.0",
    )
