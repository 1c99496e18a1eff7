package cmd

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"syscall"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/harden"
	"github.com/cardtop/cardtop/internal/desktop"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/settings"
)

// adviceOnAPI returns what to do when the API did not answer a request as it should.
func adviceOnAPI(err error, proxy string) string {
	var e *api.Error
	message, status := "", 0
	if errors.As(err, &e) {
		message, status = string(e.Message), e.Status
	}
	via := "base_url"
	if proxy != "" {
		via = "base_url and the proxy " + proxy
	}
	switch {
	case errors.Is(err, api.ErrRateLimited):
		return "wait " + errtext.RetryAfter(err).String() + ", or end other programs that use this key"
	case errors.Is(err, api.ErrRedirect):
		return "set base_url to where it leads, with its path"
	case status >= http.StatusInternalServerError:
		return "try again later; the provider's status page says more"
	case status == http.StatusNotFound, errors.Is(err, api.ErrNotJSON), errors.Is(err, api.ErrWrongShape), errors.Is(err, api.ErrNotFound):
		return "check the path of base_url (most end with /v1) and that no sign-in page of a network answers"
	case errors.Is(err, api.ErrUnreachable):
		return adviceOnNetwork(message, via)
	}
	return "check " + via
}

// adviceOnNetwork returns what to do when no answer came. What Go says of why is text: its errors hold addresses,
// and the client keeps none of them.
func adviceOnNetwork(message, via string) string {
	for _, known := range []struct{ text, do string }{
		{"certificate signed by unknown authority", "set ca_file to the PEM of the authority that signed the certificate"},
		{"certificate has expired or is not yet valid", "check this machine's clock; else the certificate has to be renewed"},
		{"certificate is valid for", "check the host of base_url: the certificate is another host's"},
		{"doesn't contain any IP SANs", "set base_url by the name that the certificate is for"},
		{"first record does not look like a TLS handshake", "check base_url: what answers there speaks no TLS"},
		{"proxyconnect", "check HTTPS_PROXY and NO_PROXY"},
		{"connection refused", "check " + via + ": nothing listens there"},
		{"no such host", "check the host of base_url and this machine's DNS"},
		{"server misbehaving", "check the host of base_url and this machine's DNS"},
		{"unreachable", "check this machine's network"},
	} {
		if strings.Contains(message, known.text) {
			return known.do
		}
	}
	return "check the network, a firewall, and " + via
}

// adviceOnGuard is what to do when the process that clears the clipboard does not answer.
const adviceOnGuard = "run cardtop doctor again; if it stays so, sign out and in again"

// adviceOnClipboard returns what to do about a way of copying that does not do all that it could.
func adviceOnClipboard(info clipboard.Info) string {
	switch {
	case info.Mode == "none":
		return "start in a graphical session with wl-clipboard or xclip, or set clipboard.osc52 = true where the terminal takes it"
	case info.Mode == "terminal" || info.Mode == "tmux":
		return "to have copies cleared for certain, start where wl-copy or xclip reaches the screen"
	case strings.HasPrefix(info.Tool, "wl-copy"):
		return "install wl-clipboard 2.3.0 or later"
	}
	return "have clipboard managers leave cardtop out, or clear their history"
}

// adviceOnKey returns how a key is replaced.
func adviceOnKey(run config.Resolved, source config.KeySource) string {
	switch source {
	case config.KeyFromEnvironment:
		return "put another key into " + config.EnvAPIKey
	case config.KeyFromPlainFile:
		return "put another key into api_key of the profile, or better: cardtop keyring set --profile " + run.Profile
	case config.KeyFromCommand:
		return "have api_key_command of the profile print another key"
	case config.KeyFromKeyring:
	}
	return "cardtop keyring set --profile " + run.Profile
}

// adviceOnNoKey returns what to do when no key was found, or it is refused here. keyring says why no keyring can store
// one.
func adviceOnNoKey(err error, run config.Resolved, keyring error) string {
	switch {
	case errors.Is(err, config.ErrNoKey) && keyring != nil:
		return "set " + config.EnvAPIKey + ", or api_key_command = \"cat FILE\" of the profile with a private FILE (chmod 600)"
	case errors.Is(err, config.ErrKeyPlace):
		return "set base_url to the provider's address, or use a test key on this machine"
	case errors.Is(err, config.ErrNoKey):
		return "cardtop keyring set --profile " + run.Profile
	}
	return "run api_key_command of the profile by hand, and mend what it says"
}

// adviceOnSettings returns what to do about settings that cannot be used. proxy is what is wrong with the proxy of the
// environment.
func adviceOnSettings(paths config.Paths, err, proxy error) string {
	var trust *fsafe.TrustError
	switch {
	case errors.As(err, &trust):
		return "chmod 600 " + paths.Config
	case errors.Is(err, proxy):
		return "unset the variable, or set it to the address of a proxy"
	}
	return "mend what it names, or move " + paths.Config + " away"
}

// adviceOnDisk returns what to do when files of a folder cannot be written.
func adviceOnDisk(dir string, err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free space on the disk of " + dir + ": writes are not sent without a record"
	case errors.Is(err, syscall.EROFS):
		return "set XDG_STATE_HOME and XDG_CACHE_HOME to folders that can be written, or start with --read-only"
	case errors.Is(err, fs.ErrPermission):
		return "make " + dir + " yours, or set XDG_STATE_HOME and XDG_CACHE_HOME"
	}
	return "set XDG_STATE_HOME and XDG_CACHE_HOME to folders on another disk"
}

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
