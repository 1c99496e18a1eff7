package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/desktop"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
)

// GuardCommand is the hidden command that the clipboard's guard runs as.
const GuardCommand = "clipboard-guard"

// OpenBoard opens the clipboard of the dashboard. It is off where none can be
// opened.
func (p Program) OpenBoard(ctx context.Context, paths config.Paths, s config.Settings, log *slog.Logger) clipboard.Board {
	if p.Screen != nil {
		return p.Screen.Board
	}
	tty := os.Stdout
	if !term.IsTerminal(tty.Fd()) {
		tty = nil // There is no screen to restore.
	}
	board, err := clipboard.Open(ctx, clipboard.Config{
		Args: []string{GuardCommand}, Claims: paths.State, OSC52: s.OSC52, TTY: tty, Env: os.Getenv, Now: p.Now,
	})
	if err != nil {
		log.Warn("clipboard", slog.Any("error", err))
		return clipboard.NewOff(err)
	}
	return board
}

// managersLimit bounds the search for clipboard managers.
const managersLimit = 2 * time.Second

// Managers returns the names of the clipboard managers that run.
func Managers(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, managersLimit)
	defer cancel()
	return desktop.Managers(ctx, os.Getenv)
}

// hookLine returns the command of events; empty for none.
func hookLine(r settings.Reloadable) string {
	if r.Notify != settings.NotifyCommand {
		return ""
	}
	return r.OnEvent
}

// openHook starts the hook of events and returns what ends it.
func openHook(ctx context.Context, line string, log *slog.Logger) (*shell.Hook, func()) {
	hook := shell.StartHook(ctx, os.Environ(), func(err error) { log.Warn("event command", slog.Any("error", err)) })
	hook.SetLine(line)
	return hook, func() {
		hook.Close()
		if n := hook.Dropped(); n > 0 {
			log.Warn("event command", slog.Int("dropped", n))
		}
	}
}

// EventLine returns an event as a line of JSON. It holds no code, number or
// CVV: news has none. What is not known is left out.
func EventLine(n news.News) []byte {
	o := struct {
		Event    news.Kind       `json:"event"`
		At       *time.Time      `json:"at,omitempty"`
		ID       string          `json:"id,omitempty"`
		Card     api.CardID      `json:"card_id,omitempty"`
		Label    api.Text        `json:"label,omitempty"`
		Last4    api.Text        `json:"last4,omitempty"`
		Type     string          `json:"type,omitempty"`
		Merchant api.Text        `json:"merchant,omitempty"`
		Amount   *json.Number    `json:"amount,omitempty"`
		Currency api.Text        `json:"currency,omitempty"`
		Replaces api.ChallengeID `json:"replaces,omitempty"`
		Campaign string          `json:"campaign,omitempty"`
		BIN      string          `json:"bin,omitempty"`
		Text     string          `json:"text,omitempty"`
	}{n.Kind, JSONTime(n.At), n.ID, n.Card, n.Label, n.Last4, n.Type, n.Merchant, JSONAmount(cmp.Or(n.Foreign, (*api.Units)(n.Amount))), n.Currency, n.Replaces, n.Campaign, n.BIN, n.Text}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		return nil // Every field can be encoded.
	}
	return line.Bytes()
}

// JSONAmount returns an amount as lists print it, with its cents; nil for none.
func JSONAmount(amount *api.Units) *json.Number {
	if amount == nil {
		return nil
	}
	n := json.Number(amount.String())
	return &n
}

// JSONTime returns a time in UTC as lists print it, to the second; nil when its year does not have the four
// digits of RFC 3339.
func JSONTime(t time.Time) *time.Time {
	if t = t.UTC().Truncate(time.Second); t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}

// userCommands returns what runs a user command, and what ends those that run
// with all they started.
func userCommands(ctx context.Context) (execute func(commands.Execute) (string, error), end func()) {
	ctx, cancel := context.WithCancel(ctx)
	runner := shell.NewRunner(os.Environ())
	execute = func(e commands.Execute) (string, error) {
		fields := make(map[string]string)
		for _, f := range e.Vars.List() {
			fields[f.Name] = f.Text
		}
		input, err := commandInput(e.Input)
		if err != nil {
			return "", err
		}
		return runner.Run(ctx, e.Line, fields, input)
	}
	return execute, func() { cancel(); runner.Wait() }
}

// commandInput returns the standard input of a command: a JSON object a line.
// What is not known is left out.
func commandInput(rows []commands.Vars) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, row := range rows {
		object := make(map[string]any)
		for _, f := range row.List() {
			switch {
			case f.Number:
				object[f.Name] = json.Number(f.Text)
			case f.Text != "":
				object[f.Name] = f.Text
			}
		}
		if err := enc.Encode(object); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// contextsOf returns where the key of a user command is bound.
func contextsOf(w settings.Where) []keymap.Context {
	switch w {
	case settings.OnTransaction:
		return []keymap.Context{keymap.Feed, keymap.Charge, keymap.Inspector}
	case settings.Anywhere:
		return []keymap.Context{keymap.Global}
	default:
		return []keymap.Context{keymap.Card}
	}
}
