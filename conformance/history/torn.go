package history

import (
	"time"
)

func (h History) torn(prefix, pending []Op, limit time.Duration) Anomaly { return Anomaly{} }
