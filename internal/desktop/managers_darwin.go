package desktop

import (
	"context"
	"fmt"
	"os/exec"
)

// Managers names the clipboard managers that run; none where the user sits at
// another machine.
func Managers(ctx context.Context, env func(string) string) []string {
	if remote(env) {
		return nil
	}
	return unique(processes(ctx))
}

// managers are the programs that store what is copied, by the names
// of their processes in lower case.
func managers() map[string]string {
	return map[string]string{
		"maccy": "Maccy", "copyclip": "CopyClip", "copyclip 2": "CopyClip", "flycut": "Flycut", "paste": "Paste", "pastebot": "Pastebot",
		"clipy": "Clipy", "alfred": "Alfred", "raycast": "Raycast", "pastenow": "PasteNow", "unclutter": "Unclutter", "copyq": "CopyQ",
	}
}

// script shows its argument, which it reads as text and never as a part of
// itself.
const script = `on run argv
display notification (item 1 of argv) with title "` + title + `"
end run`

// Notifier returns what shows a line on the desktop; nil where the user sits at
// another machine.
func Notifier(env func(string) string) func(ctx context.Context, line string) error {
	if remote(env) {
		return nil
	}
	return func(ctx context.Context, line string) error {
		cmd := exec.CommandContext(ctx, "/usr/bin/osascript", "-e", script, "--", line)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + env("HOME"), "USER=" + env("USER")}
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("show notification: %w", err)
		}
		return nil
	}
}
