package desktop

import "context"

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
