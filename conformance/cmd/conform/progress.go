package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows how far a long run is: a bar on a terminal, elsewhere a line
// a minute. It belongs to one goroutine.
type progress interface {
	at(steps int64)
	end()
}

// progressTo is out of so many steps, or out of a time where that is given.
func progressTo(w io.Writer, steps int64, within time.Duration) progress {
	if f, is := w.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		return newBar(w, steps, within)
	}
	now := time.Now()
	return &lines{w: w, began: now, said: now}
}

type bar struct {
	*progressbar.ProgressBar
	began  time.Time
	within time.Duration
}

func newBar(w io.Writer, steps int64, within time.Duration) *bar {
	out := steps
	if within > 0 {
		out = within.Milliseconds()
	}
	return &bar{progressbar.NewOptions64(out,
		progressbar.OptionSetWriter(w), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth()), time.Now(), within}
}

func (b *bar) at(steps int64) {
	b.Describe(fmt.Sprintf("%d steps", steps))
	if b.within > 0 {
		steps = time.Since(b.began).Milliseconds()
	}
	_ = b.Set64(min(steps, b.GetMax64())) // a bar that cannot be drawn is no reason to stop
}

func (b *bar) end() { _ = b.Finish() }

type lines struct {
	w           io.Writer
	began, said time.Time
}

func (l *lines) at(steps int64) {
	if time.Since(l.said) >= time.Minute {
		l.said = time.Now()
		_, _ = fmt.Fprintf(l.w, "%s: %d steps\n", time.Since(l.began).Round(time.Second), steps)
	}
}

func (l *lines) end() {}
