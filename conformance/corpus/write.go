package corpus

import (
	"fmt"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Format is a file with this one sequential case, which reads back as it is.
func Format(c *Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# yaml-language-server: $schema=../case.schema.json\nsystem: %s\ncases:\n", c.System)
	fmt.Fprintf(&b, "  - id: %s\n    spec: [%s]\n    why: %s\n", c.ID, strings.Join(c.Spec, ", "), wire.Literal(c.Why))
	if len(c.Needs) > 0 {
		fmt.Fprintf(&b, "    needs: [%s]\n", strings.Join(c.Needs, ", "))
	}
	arguments := c.New[:len(c.New):len(c.New)]
	if c.Options != nil {
		arguments = append(arguments, c.Options)
	}
	fmt.Fprintf(&b, "    new: %s\n", wire.Literal(arguments))
	if c.NewRaises != "" {
		fmt.Fprintf(&b, "    new_raises: %s\n", c.NewRaises)
		return b.String()
	}
	b.WriteString("    steps:\n")
	for _, step := range c.Steps {
		fmt.Fprintf(&b, "      - {call: %s, %s}\n", formatCall(step.Call), formatAnswer(step))
	}
	return b.String()
}

func formatCall(call Call) string {
	return wire.Literal(append([]any{call.Op}, call.Args...))
}

func formatAnswer(step Step) string {
	if step.Raises != "" {
		return "raises: " + step.Raises
	}
	return "returns: " + wire.Literal(step.Returns)
}
