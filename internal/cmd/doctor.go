package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/harden"
	"github.com/cardtop/cardtop/internal/desktop"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// grade says how a finding is to be taken.
type grade string

const (
	good grade = "ok"
	warn grade = "warn"
	bad  grade = "bad"
)

// finding is one line of the doctor.
type finding struct {
	grade grade
	name  string
	text  string
}

// errUnwell ends the command when a finding is bad; the lines have said why.
var errUnwell = errors.New("something above is marked bad")

// doctorCommand states which promises hold on this machine.
func (p program) doctorCommand() *cobra.Command {
	var flags config.Flags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Tell, a line each, what works and which promise holds on this machine",
		Example: `  cardtop doctor
  cardtop doctor --profile team`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.doctor(cmd.Context(), flags)
		},
	}
	accountFlags(cmd.Flags(), &flags)
	cmd.Flags().BoolVar(&flags.Sandbox, "sandbox", false, "look at the embedded sandbox")
	return cmd
}

func (p program) doctor(ctx context.Context, flags config.Flags) error {
	unwell := false
	say := func(all ...finding) {
		for _, f := range all {
			unwell = unwell || f.grade == bad
			printFinding(p.out, f)
		}
	}
	paths, run, err := p.Resolve(flags)
	if err != nil {
		say(finding{bad, "configuration", err.Error()})
		say(p.machine(ctx, config.Defaults())...)
		return errUnwell
	}
	say(configured(paths, run), folders(paths))
	say(p.service(ctx, run)...)
	say(p.machine(ctx, run.Settings)...)
	if unwell {
		return errUnwell
	}
	return nil
}

func printFinding(w io.Writer, f finding) {
	_, _ = fmt.Fprintf(w, "%-4s  %-13s  %s\n", f.grade, f.name, whole(f.text)) // The terminal is gone: nobody is left to tell.
}

// whole is a text as a terminal may show it, however long: what a person is to
// copy out of it must not end in its middle.
func whole(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = string(api.Clean(w))
	}
	return strings.Join(words, " ")
}

func configured(paths config.Paths, run config.Resolved) finding {
	where := paths.Config
	if _, err := os.Stat(where); err != nil {
		where = "no file; defaults (" + where + ")"
	}
	what := "profile " + run.Profile
	if run.Sandbox {
		what = "embedded sandbox: no profile and no key"
	}
	return finding{good, "configuration", where + "; " + what}
}

// folders tries the folders that files go to.
func folders(paths config.Paths) finding {
	for _, dir := range []string{paths.State, paths.Cache} {
		if err := fsafe.MkdirAll(dir); err != nil {
			return finding{bad, "permissions", err.Error()}
		}
	}
	return finding{good, "permissions", paths.State + " and " + paths.Cache + " are yours alone"}
}

// service asks the API once: whether it is there, takes the key, and what time
// it has.
func (p program) service(ctx context.Context, run config.Resolved) []finding {
	if run.Sandbox {
		return []finding{{good, "API", "embedded sandbox, in this process"}}
	}
	key, err := config.NewKeyStore().LoadKey(ctx, run)
	if err != nil {
		return []finding{{bad, "key", err.Error()}}
	}
	found := []finding{keyFinding(run, key)}
	cfg := api.Config{BaseURL: run.BaseURL, Key: key.APIKey, ReadOnly: true, NoDetails: true, UserAgent: app.UserAgent()}
	if cfg.RootCAs, err = app.Authorities(run.CAFile); err != nil {
		return append(found, finding{bad, "API", err.Error()})
	}
	var call api.Call
	cfg.Observe = func(c api.Call) { call = c }
	client, err := api.New(cfg)
	if err != nil {
		return append(found, finding{bad, "API", err.Error()})
	}
	defer client.ResetConnections()
	_, err = client.WalletBalance(ctx)
	at := p.Now()
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		found = append(found, finding{bad, "API", client.Origin() + " answers and refuses the key"})
	case err != nil:
		return append(found, finding{bad, "API", client.Origin() + ": " + state.Explain(err)})
	default:
		found = append(found, finding{good, "API", fmt.Sprintf("%s answers in %d ms", client.Origin(), call.Took.Milliseconds())})
	}
	if proxy := client.Proxy(); proxy != "" {
		found = append(found, finding{warn, "proxy", "requests go through " + proxy + " by CONNECT; it does not see the key"})
	}
	return append(found, clockFinding(call.Date, at))
}

func keyFinding(run config.Resolved, key config.Key) finding {
	text := fmt.Sprintf("%s key from the %s, for %s only", run.Mode(key.APIKey), key.Source, run.Origin)
	switch {
	case key.Source == config.KeyFromPlainFile:
		return finding{warn, "key", text + "; it lies in a file in plain text: cardtop keyring set keeps it better"}
	case key.Notice != "":
		return finding{warn, "key", text + "; " + key.Notice}
	}
	return finding{good, "key", text}
}

// tolerable is how far the clocks may be apart without a word: the Date header
// counts whole seconds.
const tolerable = 2 * time.Second

func clockFinding(server, local time.Time) finding {
	if server.IsZero() {
		return finding{warn, "clock", "the API tells no time: countdowns follow this machine's clock"}
	}
	skew := local.Sub(server).Round(time.Second)
	if skew.Abs() <= tolerable {
		return finding{good, "clock", "agrees with the API's"}
	}
	return finding{warn, "clock", fmt.Sprintf("%s off the API's; countdowns follow the API's", skew)}
}

// machine tells what holds here whatever the account.
func (p program) machine(ctx context.Context, s config.Settings) []finding {
	return []finding{p.clipboard(ctx, s), keepers(app.Managers(ctx)), terminal(os.Getenv), notifying(s.Notify, os.Getenv), keyring(ctx), p.inspection()}
}

func keyring(ctx context.Context) finding {
	if err := config.NewKeyStore().CheckKeyring(ctx); err != nil {
		return finding{warn, "keyring", err.Error() + "; use " + config.EnvAPIKey + " or api_key_command"}
	}
	return finding{good, "keyring", "the system's keyring answers"}
}

// clipboard starts the guard as the dashboard does and asks what it promises.
func (p program) clipboard(ctx context.Context, s config.Settings) finding {
	return clipboardFinding(ctx, p.OpenBoard(ctx, config.DefaultPaths(), s, slog.New(slog.DiscardHandler)))
}

// clipboardFinding asks a board, which it closes.
func clipboardFinding(ctx context.Context, board clipboard.Board) finding {
	// The terminal is the shell's: nothing on it is ours to erase.
	if err := board.HoldScreen(ctx, false); err != nil {
		return finding{bad, "clipboard", errors.Join(err, board.Close(false)).Error()}
	}
	info := board.Info()
	if err := board.Close(false); err != nil {
		return finding{bad, "clipboard", err.Error()}
	}
	switch {
	case info.Mode == "none" || info.Mode == "off":
		return finding{warn, "clipboard", info.String()}
	case len(info.Warnings) > 0 || info.Mode == "terminal" || info.Mode == "tmux":
		return finding{warn, "clipboard", info.String()}
	}
	return finding{good, "clipboard", info.String()}
}

// keepers tells which clipboard managers run.
func keepers(names []string) finding {
	if len(names) == 0 {
		return finding{good, "history", "no clipboard manager is known to run"}
	}
	return finding{warn, "history", strings.Join(names, ", ") + " may keep what is copied, but for what wl-copy from 2.3.0 on marks as sensitive"}
}

// terminal tells the path to the eyes: over SSH, through tmux or screen, and
// whether something records.
func terminal(env func(string) string) finding {
	path := []string{env("TERM")}
	if env("TERM") == "" || env("TERM") == "dumb" {
		return finding{bad, "terminal", "TERM is " + quoteOrNone(env("TERM")) + ": the dashboard cannot draw on it"}
	}
	for _, hop := range []struct{ name, word string }{{"SSH_TTY", "over SSH"}, {"TMUX", "in tmux"}, {"STY", "in screen"}} {
		if env(hop.name) != "" {
			path = append(path, hop.word)
		}
	}
	text := strings.Join(path, ", ")
	switch {
	case env("ASCIINEMA_REC") != "":
		return finding{warn, "terminal", text + "; a recording is running"}
	case env("RUNEWIDTH_EASTASIAN") != "":
		return finding{warn, "terminal", text + "; RUNEWIDTH_EASTASIAN is set: columns may shift"}
	case env("TMUX") != "":
		return finding{good, "terminal", text + "; the alternate screen keeps revealed numbers out of its history"}
	}
	return finding{good, "terminal", text}
}

// notifying tells how a person is called who looks elsewhere.
func notifying(level state.NotifyLevel, env func(string) string) finding {
	way := "by the terminal"
	switch {
	case level == state.NotifyOff:
		way = "off"
	case level == state.NotifyBell:
		way = "by the bell"
	case level != state.NotifyTerminal && desktop.Notifier(env) != nil:
		way = "by this machine's desktop, or where that fails by the terminal"
	}
	if env("TMUX") != "" && way == "by the terminal" {
		way += ", which tmux passes on with allow-passthrough on"
	}
	return finding{good, "notifications", way}
}

func quoteOrNone(s string) string {
	if s == "" {
		return "not set"
	}
	return `"` + s + `"`
}

// inspection tells whether other programs of the user and core files are kept
// out of the memory.
func (p program) inspection() finding {
	switch what, err := harden.State(); {
	case p.Hardened != nil:
		return finding{bad, "memory", p.Hardened.Error()}
	case err != nil:
		return finding{warn, "memory", err.Error()}
	default:
		return finding{good, "memory", what}
	}
}
