package config

import (
	"fmt"
	"strings"
)

// ProblemError is one thing that is wrong in a configuration file.
type ProblemError struct {
	File   string // Base name.
	Line   int    // From 1.
	Column int    // From 1, in bytes.
	Text   string // Lower case, one line, without secrets.
}

// Error is the position and the text, as in
// config.toml:2:1: unknown setting "pol" (did you mean "poll"?).
func (e *ProblemError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// ProblemErrors is everything that is wrong in a file, in its order.
type ProblemErrors []*ProblemError

// Error is one line for each problem.
func (es ProblemErrors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems one by one to errors.As.
func (es ProblemErrors) Unwrap() []error {
	errs := make([]error, len(es))
	for i, e := range es {
		errs[i] = e
	}
	return errs
}
