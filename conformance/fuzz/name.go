package fuzz

import (
	"fmt"
	"hash/fnv"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
)

// clauses of the contract that operations are about.
var clauses = map[string]map[string]string{
	"event": {
		constructor: "EB-01", "create": "EB-02", "join": "EB-08", "leave": "EB-10",
		"publish": "EB-05", "poll": "EB-12", "ack": "EB-13", "retry": "EB-13",
		"publish_many": "EB-17", "ack_many": "EB-17",
	},
	"message": {
		constructor: "MB-01", "create_topic": "MB-02", "publish": "MB-03", "poll": "MB-04",
		"ack": "MB-06", "nack": "MB-07", "dead_letters": "MB-10",
	},
	"pubsub": {
		constructor: "PS-16", "create_topic": "PS-01", "subscribe": "PS-02", "unsubscribe": "PS-08",
		"publish": "PS-01", "drain": "PS-05", "seek": "PS-09", "offset": "PS-04", "dead_letters": "PS-07",
		"calls_of": "PS-05", "redeliver": "PS-17", "status": "PS-17",
	},
	"assign": {
		constructor: "RA-04", "decode_subscription": "RA-01", "encode_subscription": "RA-03",
		"decode_assignment": "RA-03", "encode_assignment": "RA-03", "range_assign": "RA-04",
	},
}

// name gives the case of an outcome what the corpus asks for besides its steps.
// The id depends on nothing but what the case does, so that surfaces with the
// same fault show the same case.
func name(o *runner.Outcome, seed uint64) {
	c, op := o.Case, lastOp(o)
	c.ID, c.Why, c.Spec = "", "", nil
	digest := fnv.New32a()
	_, _ = digest.Write([]byte(corpus.Format(c))) // it never fails
	c.ID = fmt.Sprintf("fuzz-%s-%08x", c.System, digest.Sum32())
	c.Spec = []string{clauses[c.System][op]}
	c.Why = fmt.Sprintf("found by conform fuzz with the seed %d: what comes of %s", seed, op)
}

// lastOp is the operation that diverged, or the last one that may have.
func lastOp(o *runner.Outcome) string {
	constructed := o.Divergence == nil || o.Divergence.Step != runner.Constructor
	if n := len(o.Case.Steps); n > 0 && constructed {
		return o.Case.Steps[n-1].Call.Op
	}
	return constructor
}
