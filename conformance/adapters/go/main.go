// Command adapter-go drives the broker's Go packages for the conformance kit.
// Each system has a file of its own. With --handles it is the surface go-handles,
// which finds topics and consumers of the event broker once (EB-18).
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

func main() {
	handles := flag.Bool("handles", false, "call topics and consumers that were found once")
	flag.Parse()
	offered := plain
	if *handles {
		offered = byHandles
	}
	if err := offered.serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "adapter-go:", err)
		os.Exit(1)
	}
}

// serve answers each line of in with a line to out, until in ends.
func (o offer) serve(in io.Reader, out io.Writer) error {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		request, err := wire.Decode(line)
		if err != nil {
			return err
		}
		response, err := wire.Encode(o.answer(request.(map[string]any)))
		if err != nil {
			return err
		}
		if _, err := out.Write(append(response, '\n')); err != nil {
			return err
		}
	}
}

func (o offer) answer(request map[string]any) map[string]any {
	if _, ok := request["hello"]; ok {
		return map[string]any{"hello": o.hello()}
	}
	s, err := o.construct(request["system"].(string), request["new"].([]any))
	if err != nil {
		return map[string]any{"id": request["id"], "new": failure(err), "results": []any{}}
	}
	response := map[string]any{"id": request["id"]}
	threads := request["threads"].([]any)
	if request["record"] == true {
		var first []any
		if before, ok := request["before"]; ok {
			first = inTurn(s, []any{before})
		}
		results, met := atOnce(s, threads)
		response["results"], response["overlap"] = append(first, results...), met
	} else {
		response["results"] = inTurn(s, threads)
	}
	if s.close != nil {
		if err := s.close(); err != nil {
			panic(err) // no case has a broker that may fail to close
		}
	}
	return response
}
