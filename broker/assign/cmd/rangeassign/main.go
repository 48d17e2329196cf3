// Command rangeassign divides partitions among the members of a Kafka consumer
// group as Kafka's range assignor does (RA-07).
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/assign"
)

// Exit codes. On any but exitOK nothing is on standard output, unless it was
// standard output that failed.
const (
	exitOK     = 0
	exitOutput = 1 // the answer could not be written
	exitInput  = 2 // wrong usage, or input that cannot be read
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// errOutput marks the errors of writing the answer.
var errOutput = errors.New("cannot write the answer")

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	command := newCommand()
	command.SetArgs(args)
	command.SetIn(stdin)
	command.SetOut(stdout)
	command.SetErr(stderr)
	err := command.Execute()
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errOutput):
		_, _ = fmt.Fprintf(stderr, "rangeassign: %v\n", err)
		return exitOutput
	default:
		_, _ = fmt.Fprintf(stderr, "rangeassign: %v\nSee rangeassign --help\n", err)
		return exitInput
	}
}

func newCommand() *cobra.Command {
	var asObject bool
	command := &cobra.Command{
		Use:           "rangeassign [flags] [FILE]",
		Short:         "divide partitions as Kafka's range assignor does",
		Long:          long,
		Example:       example,
		Args:          cobra.MaximumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(command *cobra.Command, args []string) error {
			g, err := readFrom(args, command.InOrStdin())
			if err != nil {
				return err
			}
			said, err := answer(g, asObject)
			if err != nil {
				return err
			}
			if _, err := command.OutOrStdout().Write(said); err != nil {
				return fmt.Errorf("%w: %w", errOutput, err)
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asObject, "json", false, "print one JSON object: member, topic, partitions")
	command.CompletionOptions.DisableDefaultCmd = true
	return command
}

// readFrom reads the file that the arguments name.
func readFrom(args []string, stdin io.Reader) (*group, error) {
	if len(args) == 0 || args[0] == "-" {
		return read("standard input", stdin)
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return nil, err
	}
	return read(args[0], bytes.NewReader(data))
}

// answer divides the partitions and says who got which.
func answer(g *group, asObject bool) ([]byte, error) {
	assigned, err := assign.Range(g.partitions, g.members)
	if err != nil {
		return nil, describe(err)
	}
	if asObject {
		return asJSON(inOrder(g.members), assigned), nil
	}
	return text(inOrder(g.members), assigned), nil
}

// describe leaves the names of Go's arguments out of an error: here there are
// lines and fields instead.
func describe(err error) error {
	var invalid *broker.ArgumentError
	if errors.As(err, &invalid) {
		return errors.New(invalid.Reason)
	}
	return err
}
