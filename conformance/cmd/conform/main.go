// Command conform judges implementations against the cases.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

const version = "0.1.0"

// exitInterrupted is what a shell gives for a program that was interrupted.
const exitInterrupted = 130

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends what does not listen to the first
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// An exit ends the program with a code of the table, all having been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exitWith is nil for the code 0.
func exitWith(code int) error {
	if code == runner.ExitOK {
		return nil
	}
	return exit(code)
}

// execute runs the command line and gives the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var code exit
	switch {
	case ctx.Err() != nil:
		cmd.PrintErrln("conform: interrupted")
		return exitInterrupted
	case errors.As(err, &code):
		return int(code)
	case err != nil:
		cmd.PrintErrf("conform: %v\nSee %s --help\n", err, cmd.CommandPath())
		return runner.ExitUsage
	}
	return runner.ExitOK
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "conform",
		Short: "judge implementations against the cases",
		Long: `conform has every case carried out by an adapter, a program that drives one
implementation and speaks JSON on its standard input and output, and judges
what came of it.`,
		Example: `  conform run                                        the project's own surfaces
  conform run --surface python 'retry-*'             some cases on one of them
  conform run --adapter mine='python3 my_adapter.py' your own implementation
  conform doctor --adapter mine='python3 my_adapter.py'`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("a command is needed: run, say")
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(runCommand(), listCommand(), lintCommand(), adaptersCommand(), doctorCommand(),
		fuzzCommand(), checkCommand(), mutateCommand(), programCommand())
	return root
}
