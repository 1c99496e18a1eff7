//go:build !unix && !windows

package desktop

import "context"

// Managers knows of none here.
func Managers(context.Context, func(string) string) []string { return nil }
