package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// sections are the groups, and the curves as one more.
func (r results) sections() []groupResult {
	if r.Growth == nil {
		return r.Groups
	}
	growth := groupResult{Title: "Growth of W by plain calls"}
	for _, c := range r.Growth {
		growth.Rows = append(growth.Rows, c.asRow())
	}
	return append(r.Groups[:len(r.Groups):len(r.Groups)], growth)
}

// writeText writes all results for a terminal.
func (r results) writeText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WHAT\tOURS\tAGAINST\tPEER\tRATIO\tTARGET\tMET")
	for _, g := range r.sections() {
		fmt.Fprintf(table, "%s\t\t\t\t\t\t\n", strings.ToUpper(g.Title))
		for _, row := range g.Rows {
			fmt.Fprintf(table, "  %s\n", strings.Join(row.cells(), "\t"))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s", strings.Join(append(r.notes(), r.about(), ""), "\n"))
	return err
}

// cells are the columns of every table.
func (r rowResult) cells() []string {
	ours, peer := r.amount(r.Ours), ""
	if r.Peer != nil {
		peer = r.amount(r.Peer)
	}
	return []string{r.What, ours, r.Against, peer, r.figure().String(), r.target(), r.verdict()}
}

func (r rowResult) verdict() string {
	switch {
	case !r.hasTarget():
		return ""
	case r.met():
		return "yes"
	}
	return "no"
}

// amount writes the median of one side with its unit.
func (r rowResult) amount(figures []float64) string {
	v := spreadOf(figures).Median
	switch {
	case r.Rate != "":
		return fmt.Sprintf("%.0f %s/s", 1e9/v, r.Rate)
	case r.Unit != "ns":
		return short(v) + " " + r.Unit
	case v >= 1e6:
		return short(v/1e6) + " ms"
	case v >= 1e3:
		return short(v/1e3) + " µs"
	}
	return short(v) + " ns"
}

// notes say why targets are missed.
func (r results) notes() []string {
	var notes []string
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			if row.hasTarget() && !row.met() {
				reason := row.Reason
				if reason == "" {
					reason = "no reason is written"
				}
				notes = append(notes, fmt.Sprintf("Missed: %s, %s against %s: %s.", g.Title, row.What, row.Against, strings.TrimSuffix(reason, ".")))
			}
		}
	}
	return notes
}

// about says when and where the figures were taken.
func (r results) about() string {
	return fmt.Sprintf("Medians of %d rounds, with the least and the greatest ratio; %s. Times are this machine's: %s.", r.Rounds, r.Date, r.Machine)
}

// markdown writes the groups whose rows are asked for, with the same columns.
func (r results) markdown(wanted func(rowResult) bool) string {
	var b strings.Builder
	b.WriteString("| | ours | against | peer | ratio | target | met |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, g := range r.sections() {
		title := fmt.Sprintf("| **%s** | | | | | | |\n", g.Title)
		for _, row := range g.Rows {
			if wanted(row) {
				b.WriteString(title + "| " + strings.Join(row.cells(), " | ") + " |\n")
				title = ""
			}
		}
	}
	b.WriteString("\n")
	for _, note := range r.notes() {
		b.WriteString("- " + note + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n\n" + r.about() + "\n"
}
