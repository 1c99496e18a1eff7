package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// begin takes the terminal: the alternate screen, no cursor, no wrapping at the
// edge, pasted text marked as such, focus, size and light or dark told, keys told apart where
// the terminal can. Some things it is asked, and last what every terminal answers.
func begin(ask string) string {
	return pushTitle + ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.ResetModeAutoWrap +
		ansi.SetModeBracketedPaste + ansi.SetModeFocusEvent +
		ansi.SetModifyOtherKeys2 + ansi.PushKittyKeyboard(keys) + ansi.RequestKittyKeyboard +
		ansi.SetModeLightDark + ansi.SetModeInBandResize + ask + ansi.RequestPrimaryDeviceAttributes
}

// end restores the terminal, with nothing of the program on it. keepPaste leaves pasted text marked.
func end(keepPaste bool) string {
	paste := ansi.ResetModeBracketedPaste
	if keepPaste {
		paste = ""
	}
	return "\x1b[m\x1b[r" + ansi.EraseEntireScreen + ansi.CursorHomePosition +
		mouse(false) + ansi.ResetModeFocusEvent + paste + ansi.ResetModeLightDark + ansi.ResetModeInBandResize +
		ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) + ansi.SetModeAutoWrap +
		ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable + ansi.ResetModeUnicodeCore + title("") + popTitle
}

// The title of the window is the shell's before and after, where the terminal keeps it; without a title where not.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// keys is what a terminal is asked to tell of keys: all apart, and of those that are no text the one in their place
// on the US layout.
const keys = ansi.KittyDisambiguateEscapeCodes | ansi.KittyReportAlternateKeys

func mouse(on bool) string {
	if on {
		return ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	}
	return ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr
}

// title sets the title of the window. It must not end its own sequence.
func title(s string) string {
	return ansi.SetWindowTitle(strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s))
}

// questions returns what a terminal of an environment is asked at the start:
// its background, and whether it knows synchronized updates and clusters. Some
// terminals write a question that they do not know on the screen; Apple's and
// unknown ones behind ssh are not asked.
func questions(env func(string) string) string {
	ask := ansi.RequestBackgroundColor
	program, remote := env("TERM_PROGRAM"), env("SSH_TTY") != ""
	known := env("WT_SESSION") != ""
	for _, name := range []string{"ghostty", "wezterm", "alacritty", "kitty", "rio", "foot"} {
		known = known || strings.Contains(env("TERM"), name)
	}
	if known || !remote && !strings.Contains(program, "Apple") {
		ask += ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore
	}
	return ask
}
