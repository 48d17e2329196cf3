"""Third-party Go modules, out of the module cache of the host's Go."""

def _go_repository_impl(ctx):
    module = ctx.attr.importpath + "@" + ctx.attr.version
    done = ctx.execute(
        ["go", "mod", "download", "-json", module],
        # Where go.mod names the module, go asks the network for no more than its files.
        working_directory = str(ctx.path(Label("//:go.mod")).dirname),
    )
    if not done.stdout.strip():
        fail("go mod download {}: {}".format(module, done.stderr))
    said = json.decode(done.stdout)
    if said.get("Error"):
        fail("go mod download {}: {}".format(module, said["Error"]))
    if said["Sum"] != ctx.attr.sum:
        fail("{} has the hash {}, where {} is declared".format(module, said["Sum"], ctx.attr.sum))
    done = ctx.execute(["cp", "-r", "--no-preserve=mode", said["Dir"] + "/.", "."])
    if done.return_code:
        fail("copying {}: {}".format(module, done.stderr))
    ctx.patch(ctx.attr.build_files, strip = 1)

go_repository = repository_rule(
    _go_repository_impl,
    attrs = {
        "importpath": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
        "sum": attr.string(mandatory = True, doc = "as go.sum has it"),
        "build_files": attr.label(mandatory = True, doc = "a patch that adds the BUILD files"),
    },
    doc = """A Go module, as Gazelle's rule of this name gives it.

The host's Go, which builds everything else as well, fetches it and keeps it in
its own cache: whoever has built the project with the go command needs no network.
The BUILD files are Gazelle's too, but made beforehand, by ci/bazel --update: so
Gazelle need not be built, and what the build runs on can be read in the tree.
""",
)
