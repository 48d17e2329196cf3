package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

func doctorCommand() *cobra.Command {
	var t targets
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check that an adapter speaks the protocol, and say what to mend",
		Long: `Check of each adapter what an adapter can get wrong, whatever it drives:
framing, ids, unknown operations, Unicode, long lines, 64-bit integers, threads
that run at once, order, the end. Without --surface and --adapter, those of the
project's own surfaces.

The exit code is 0 when all is well, 1 when there is something to mend, 4 when
an adapter could not be started or said no hello.`,
		Example: `  conform doctor --adapter mine='python3 my_adapter.py'
  conform doctor --surface python`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := t.list()
			if err != nil {
				return err
			}
			code := runner.ExitOK
			for _, target := range list {
				said, c := examine(cmd.Context(), target, t.timeout)
				if _, err := io.WriteString(cmd.OutOrStdout(), said); err != nil {
					return err
				}
				code = max(code, c) // broken is above failed
			}
			return exitWith(code)
		},
	}
	t.add(cmd.Flags())
	return cmd
}

// examine gives what there is to say of one adapter and its exit code.
func examine(ctx context.Context, t target, timeout time.Duration) (string, int) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.name, t.command)
	if err := t.missing(); err != nil {
		fmt.Fprintf(&b, "  FAULT  %v\n", err)
		return b.String(), runner.ExitBroken
	}
	findings := adapter.Examine(ctx, t.command, timeout)
	code := runner.ExitOK
	for _, f := range findings {
		if f.Fault == "" {
			fmt.Fprintf(&b, "  ok     %s\n", f.About)
			continue
		}
		code = runner.ExitFailed
		fmt.Fprintf(&b, "  FAULT  %s: %s\n         mend: %s\n%s", f.About, f.Fault, f.Mend, report.Stderr(f.Stderr))
	}
	if findings[0].Fault != "" {
		code = runner.ExitBroken
	}
	return b.String(), code
}
