package main

// BLOCK

var _ event.Options

func main() {}
