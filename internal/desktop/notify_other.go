//go:build !unix && !windows

package desktop

import "context"

// Notifier knows of no desktop here.
func Notifier(func(string) string) func(ctx context.Context, line string) error { return nil }
