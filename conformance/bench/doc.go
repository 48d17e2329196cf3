// Package bench compares the project with its peers. It is a module of its own,
// so that nobody who uses the brokers is made to fetch them.
package bench
