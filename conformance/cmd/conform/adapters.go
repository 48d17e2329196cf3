package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

func adaptersCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "adapters",
		Short: "list the project's own surfaces and what starts their adapters",
		Long: `List the project's own surfaces and, for each, the command that starts its
adapter, to be run in the root of the checkout that this program was built in.
The exit code is 4 when one has not been built.`,
		Example: "  conform adapters",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			own := targets{timeout: defaultTimeout}
			list, err := own.list()
			if err != nil {
				return err
			}
			return listAdapters(cmd.OutOrStdout(), list)
		},
	}
}

func listAdapters(w io.Writer, list []target) error {
	code := runner.ExitOK
	var rows strings.Builder
	for _, t := range list {
		fmt.Fprintf(&rows, "%s\t%s", t.name, t.command)
		if err := t.missing(); err != nil {
			code = runner.ExitBroken
			fmt.Fprintf(&rows, "\t%v", err)
		}
		rows.WriteByte('\n')
	}
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	_, err := io.WriteString(table, rows.String())
	if err := errors.Join(err, table.Flush()); err != nil {
		return err
	}
	return exitWith(code)
}
