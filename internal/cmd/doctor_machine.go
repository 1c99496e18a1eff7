package cmd

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"

	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/harden"
	"github.com/cardtop/cardtop/internal/desktop"
	"github.com/cardtop/cardtop/state/settings"
)

// checkMachine checks what does not depend on the account.
func (p program) checkMachine(ctx context.Context, s config.Settings, keys config.KeyStore, managers <-chan []string) []finding {
	return []finding{p.checkClipboard(ctx, s), checkManagers(<-managers), checkTerminal(os.Getenv), checkNotifications(s.Notify, os.Getenv), checkKeyring(ctx, keys), p.checkMemory()}
}

func checkKeyring(ctx context.Context, keys config.KeyStore) finding {
	if err := keys.CheckKeyring(ctx); err != nil {
		return finding{warn, "keyring", err.Error(), "use " + config.EnvAPIKey + " or api_key_command"}
	}
	return well("keyring", "the system's keyring answers")
}

// checkClipboard starts the clipboard's guard as the dashboard does.
func (p program) checkClipboard(ctx context.Context, s config.Settings) finding {
	return checkBoard(ctx, p.OpenBoard(ctx, config.DefaultPaths(), s, slog.New(slog.DiscardHandler)))
}

// checkBoard checks a board and closes it.
func checkBoard(ctx context.Context, board clipboard.Board) finding {
	// The terminal is the shell's: nothing on it may be erased.
	if err := board.HoldScreen(ctx, false); err != nil {
		return finding{bad, "clipboard", errors.Join(err, board.Close(false)).Error(), adviceOnGuard}
	}
	info := board.Info()
	if err := board.Close(false); err != nil {
		return finding{bad, "clipboard", err.Error(), adviceOnGuard}
	}
	if len(info.Warnings) == 0 {
		return well("clipboard", info.String())
	}
	if info.Mode == "none" && len(info.Warnings) > 0 { // They say what to do.
		return finding{warn, "clipboard", info.Mode + ": " + info.Promise, strings.Join(info.Warnings, "; ")}
	}
	return finding{warn, "clipboard", info.String(), adviceOnClipboard(info)}
}

// checkManagers finds clipboard managers.
func checkManagers(names []string) finding {
	if len(names) == 0 {
		return well("managers", "no clipboard manager is known to run")
	}
	return finding{warn, "managers", strings.Join(names, ", ") + " may store what is copied, except what wl-copy 2.3.0 or later marks as sensitive", "have it leave cardtop out, or clear its history"}
}

// checkTerminal checks the terminal: what it is behind, and what may record it.
func checkTerminal(env func(string) string) finding {
	path := []string{env("TERM")}
	if env("TERM") == "" || env("TERM") == "dumb" {
		return finding{warn, "terminal", "TERM is " + quoteOrNone(env("TERM")) + ", on which the dashboard cannot draw; commands need none", "start the dashboard in a terminal"}
	}
	for _, hop := range []struct{ name, word string }{{"SSH_TTY", "over SSH"}, {"TMUX", "in tmux"}, {"STY", "in screen"}} {
		if env(hop.name) != "" {
			path = append(path, hop.word)
		}
	}
	text := strings.Join(path, ", ")
	switch {
	case env("ASCIINEMA_REC") != "":
		return finding{warn, "terminal", text + "; a recording is running", "end it before you reveal a card"}
	case env("RUNEWIDTH_EASTASIAN") != "":
		return finding{warn, "terminal", text + "; RUNEWIDTH_EASTASIAN is set and columns may shift", "unset it"}
	case env("TMUX") != "":
		return well("terminal", text+"; revealed numbers stay out of its history")
	}
	return well("terminal", text)
}

// checkNotifications returns how notifications reach a user who is away.
func checkNotifications(level settings.NotifyLevel, env func(string) string) finding {
	way := "by the terminal"
	switch {
	case level == settings.NotifyOff:
		way = "off"
	case level == settings.NotifyBell:
		way = "by the bell"
	case level != settings.NotifyTerminal && desktop.Notifier(env) != nil:
		way = "by the desktop, or else by the terminal"
	}
	if env("TMUX") != "" && way == "by the terminal" {
		way += "; tmux needs allow-passthrough on"
	}
	return well("notifications", way)
}

func quoteOrNone(s string) string {
	if s == "" {
		return "not set"
	}
	return `"` + s + `"`
}

// memoryAdvice is what mends a process that others may read.
const memoryAdvice = "run it without what forbids it: a container's security profile, or a debugger"

// checkMemory checks that neither other programs nor core files can read this
// program's memory.
func (p program) checkMemory() finding {
	switch what, err := harden.State(); {
	case p.Hardened != nil:
		return finding{bad, "memory", p.Hardened.Error(), memoryAdvice}
	case err != nil:
		return finding{warn, "memory", err.Error(), memoryAdvice}
	default:
		return well("memory", what)
	}
}
