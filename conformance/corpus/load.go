package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// RetiredFile lists, at the top of a corpus, the ids that were in use once and
// must not be used again: one a line, with the reason behind it.
const RetiredFile = "retired.txt"

// Load reads every case of a folder tree, in the order of the files' names.
// The cases are in files *.yaml; one that looks as if it were meant to be a
// case file and is not read is an error. So is a corpus without cases. The
// error joins a [*Problem] for each fault.
func Load(fsys fs.FS) ([]Case, error) {
	var cases []Case
	var problems []error
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		found, err := loadEntry(fsys, name, entry)
		cases = append(cases, found...)
		problems = append(problems, err)
		return nil
	})
	problems = append(problems, err, checkIDs(fsys, cases))
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, errors.New("the corpus has no cases: they are in files *.yaml")
	}
	return cases, nil
}

// readFile reads a file that is one, and no larger than any of ours: a pipe
// would be waited for and a device read without end.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	switch info, err := fs.Stat(fsys, name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &Problem{name, 0, "not a regular file"}
	case info.Size() > maxFile:
		return nil, &Problem{name, 0, fmt.Sprintf("the file is larger than %d bytes", maxFile)}
	}
	return fs.ReadFile(fsys, name)
}

func loadEntry(fsys fs.FS, name string, entry fs.DirEntry) ([]Case, error) {
	if entry.Type()&fs.ModeSymlink != 0 {
		if info, err := fs.Stat(fsys, name); err != nil || info.IsDir() {
			return nil, &Problem{name, 0, "a symbolic link that leads to no file is not followed"}
		}
	}
	switch {
	case entry.IsDir() || !looksLikeCases(name):
		return nil, nil
	case path.Ext(name) != ".yaml" || hidden(name):
		return nil, &Problem{name, 0, "not read as cases: their files end in .yaml and are not hidden; rename or remove it"}
	}
	return ReadFile(fsys, name)
}

// looksLikeCases also finds orders.yml, ORDERS.YAML, orders.yaml.bak.
func looksLikeCases(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.Contains(base, ".yaml") || strings.Contains(base, ".yml")
}

func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// checkIDs refuses an id that is used twice, or again.
func checkIDs(fsys fs.FS, cases []Case) error {
	retired, err := readRetired(fsys)
	problems := []error{err}
	first := map[string]Case{} // id => its first use
	for _, c := range cases {
		if line, ok := retired[c.ID]; ok {
			problems = append(problems, &Problem{c.File, c.Line, fmt.Sprintf("id %s is retired, %s:%d", c.ID, RetiredFile, line)})
		}
		if other, ok := first[c.ID]; ok {
			problems = append(problems, &Problem{c.File, c.Line, fmt.Sprintf("id %s is used before, %s:%d", c.ID, other.File, other.Line)})
			continue
		}
		first[c.ID] = c
	}
	return errors.Join(problems...)
}

// readRetired gives id => line. A corpus without the file has retired nothing.
func readRetired(fsys fs.FS) (map[string]int, error) {
	data, err := readFile(fsys, RetiredFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	retired := map[string]int{}
	var problems []error
	for i, line := range strings.Split(string(data), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
		case len(words) == 1 || !idForm.MatchString(words[0]):
			problems = append(problems, &Problem{RetiredFile, i + 1, "a retired id and the reason expected"})
		default:
			retired[words[0]] = i + 1
		}
	}
	return retired, errors.Join(problems...)
}
