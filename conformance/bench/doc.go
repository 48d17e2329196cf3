// Package bench compares the project with its peers. It is a module of its own,
// so that nobody who uses the brokers is made to fetch them.
//
// Its benchmarks are of peers from outside; ours are beside what they measure.
// Command compare runs all of them in turn, as targets.yaml says: ci/bench.
package bench
