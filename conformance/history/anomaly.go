package history

import "fmt"

// An Anomaly is what is wrong with a history, in words.
type Anomaly struct {
	Name  string // "" for none
	Words string // which calls show it
	State string // of the model where it shows; may be ""
}

func (a Anomaly) String() string { return a.Name + ": " + a.Words }

// Names of anomalies.
const (
	UnexpectedError   = "unexpected error"
	OffsetReused      = "offset reused"
	OffsetOutOfOrder  = "offset out of order"
	OffsetSkipped     = "offset skipped"
	NeverPublished    = "never published"
	DeliveredTwice    = "delivered twice"
	Lost              = "lost"
	TwoOwners         = "two owners"
	NoOwner           = "no owner"
	SettledTwice      = "acknowledged twice"
	BothTrue          = "ack and retry both true" // nack, of a message
	NotInFlight       = "settled and not in flight"
	CapacityFreedLate = "capacity freed late"
	CapacityExceeded  = "capacity exceeded"
	AttemptSkipped    = "attempt skipped"
	DeadLetterLost    = "dead letter lost"
	DeadLetterTwice   = "dead letter twice"
	DeadLetterEarly   = "dead letter not parked"
	DifferentInstants = "partitions read at different instants"
	HalfRebalanced    = "rebalance seen halfway"
	HalfDone          = "batch seen half done"
	NoOrder           = "no order of the calls"
)

func anomaly(name, format string, args ...any) Anomaly {
	return Anomaly{Name: name, Words: fmt.Sprintf(format, args...)}
}

// before joins the anomaly of the calls that are shown and what a scan of all has
// seen. An offset is skipped for as long as nobody else has it; then it is out of
// order.
func (a Anomaly) before(scanned Anomaly) Anomaly {
	switch {
	case scanned.Name == "":
		return a
	case a.Name == OffsetSkipped && scanned.Name == OffsetOutOfOrder:
		return scanned
	}
	a.Words += "; further on: " + scanned.String()
	return a
}
