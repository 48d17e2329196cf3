package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// A machine is what the times depend on.
type machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
	Python string `json:"python"`
	GCC    string `json:"gcc"`
}

func thisMachine() machine {
	return machine{
		CPU:    cpuModel(),
		Cores:  runtime.NumCPU(),
		Go:     strings.TrimPrefix(runtime.Version(), "go"),
		Python: version("python3", "-c", "import platform; print(platform.python_version())"),
		GCC:    version("gcc", "-dumpfullversion"),
	}
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, Go %s, Python %s, gcc %s", m.CPU, m.Cores, m.Go, m.Python, m.GCC)
}

func cpuModel() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if name, model, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}

func version(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
