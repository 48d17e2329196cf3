// Package pages holds the documentation to what it documents: every block of
// every page is run, or says why not, in blocks.yaml; every name that a surface
// exports is in a table of its page; and the texts of failures that a page
// quotes are those that are made. It is all tests.
package pages
