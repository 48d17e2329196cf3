package pages_test

import (
	"strings"
	"testing"
)

// What a user of the package can write behind a point, but for what NamedTuple
// and Exception bring along.
const publicNames = `
import inspect, os
os.environ["EVENTBROKER_PURE"] = "1" # the accelerator's classes are the same ones, made otherwise
import eventbroker
for module, prefix in (eventbroker, ""), (eventbroker.assign, "assign."):
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.ismodule(value):
            continue
        print(prefix + name)
        for attribute in dir(value) if inspect.isclass(value) else ():
            found = inspect.getattr_static(value, attribute)
            if isinstance(found, (classmethod, staticmethod)):
                found = found.__func__
            if isinstance(found, property):
                found = found.fget
            if inspect.isfunction(found) and found.__module__.startswith("eventbroker") and attribute[0] != "_":
                print(prefix + name + "." + attribute)
`

func TestNames_Python(t *testing.T) {
	libraryFolder(t)
	exported := strings.Fields(command(t, "python3", "-c", publicNames).prints(t))
	checkNames(t, "bindings/python/README.md", exported, named(section(t, "bindings/python/README.md", "Every call")))
}
