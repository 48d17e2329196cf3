// Command compare asks Kafka and ourselves the same about random consumer groups
// and tells every difference (RA-03, RA-04). What Kafka says comes from the Java
// program beside it; ci/kafka runs the three steps:
//
//	compare write GROUPS FILE      writes so many groups
//	java eventbroker.Oracle ...    reads them and writes Kafka's answers
//	compare judge GROUPS ANSWERS   compares the answers with ours
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: compare write|judge GROUPS FILE")
	}
	groups, err := strconv.ParseUint(args[1], 10, 32)
	if err != nil || groups == 0 {
		return fmt.Errorf("%q is not a number of groups", args[1])
	}
	switch args[0] {
	case "write":
		return write(groups, args[2])
	case "judge":
		return judge(groups, args[2])
	}
	return fmt.Errorf("%q is neither write nor judge", args[0])
}
