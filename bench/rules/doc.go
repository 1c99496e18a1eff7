// Package rules proves what docs/RULES.md promises: its tests run rules on a sandbox for
// a week of their own time, kill the program, and run several at once.
package rules
