package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/spf13/cobra"
)

func listCommand() *cobra.Command {
	var folder string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [PATTERN...]",
		Short: "list the cases",
		Long: `List the cases that a PATTERN matches, all of them without one. A pattern is an
id or system/id, with * and ? as in a shell: 'retry-*', 'event/*'.`,
		Example: `  conform list
  conform list 'retry-*'
  conform list --cases ./my-cases --json`,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			fsys, err := caseFiles(folder)
			if err != nil {
				return err
			}
			all, err := corpus.Load(fsys)
			if err != nil {
				return err
			}
			selected, err := corpus.Select(all, patterns)
			if err != nil {
				return err
			}
			if asJSON {
				return listJSON(cmd.OutOrStdout(), selected)
			}
			return listText(cmd.OutOrStdout(), selected)
		},
	}
	cmd.Flags().StringVar(&folder, "cases", "", "take the cases from this `FOLDER` instead of those built in")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	return cmd
}

// caseFiles is the corpus in a folder, or the one that is built in for "".
func caseFiles(folder string) (fs.FS, error) {
	if folder == "" {
		return cases.FS, nil
	}
	switch info, err := os.Stat(folder); {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder", folder)
	}
	return os.DirFS(folder), nil
}

func listText(w io.Writer, list []corpus.Case) error {
	var rows strings.Builder
	rows.WriteString("ID\tSYSTEM\tSPEC\tNEEDS\tWHY\n")
	for _, c := range list {
		fmt.Fprintf(&rows, "%s\t%s\t%s\t%s\t%s\n",
			c.ID, c.System, strings.Join(c.Spec, " "), strings.Join(c.Needs, " "), c.Why)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := io.WriteString(table, rows.String())
	return errors.Join(err, table.Flush())
}

// A listed case is one as the JSON form shows it.
type listed struct {
	ID     string   `json:"id"`
	System string   `json:"system"`
	Spec   []string `json:"spec"`
	Needs  []string `json:"needs"`
	Why    string   `json:"why"`
	File   string   `json:"file"`
	Line   int      `json:"line"`
}

func listJSON(w io.Writer, list []corpus.Case) error {
	out := make([]listed, len(list))
	for i, c := range list {
		out[i] = listed{c.ID, c.System, c.Spec, append([]string{}, c.Needs...), c.Why, c.File, c.Line}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
