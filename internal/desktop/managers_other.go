//go:build !unix && !windows

package desktop

import "context"

// Managers knows of none here.
func Managers(context.Context, func(string) string) []string { return nil }

// Notifier knows of no desktop here.
func Notifier(func(string) string) func(ctx context.Context, line string) error { return nil }
