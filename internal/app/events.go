package app

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui"
)

// notifyOf is how far a level reaches.
func NotifyOf(level config.NotifyLevel) ui.Notify {
	switch level {
	case config.NotifyOff:
		return ui.NotifyOff
	case config.NotifyBell:
		return ui.NotifyBell
	case config.NotifyTerminal:
		return ui.NotifyTerminal
	default:
		return ui.NotifyDesktop
	}
}

// hookLine is the command that gets the events; empty when none does.
func hookLine(n config.Notifications) string {
	if n.Level != config.NotifyCommand {
		return ""
	}
	return n.OnEvent
}

// openHook starts what hands the events to a command, and gives what ends it.
func openHook(ctx context.Context, n config.Notifications, log *slog.Logger) (*shell.Hook, func()) {
	hook := shell.StartHook(ctx, os.Environ(), func(err error) { log.Warn("event command", slog.Any("error", err)) })
	hook.SetLine(hookLine(n))
	return hook, func() {
		hook.Close()
		if n := hook.Dropped(); n > 0 {
			log.Warn("event command", slog.Int("dropped", n))
		}
	}
}

// eventLine is an event as one line of JSON. It holds no code, number or CVV:
// news has none. What is not known is left out.
func EventLine(n state.News) []byte {
	o := struct {
		Event    state.NewsKind  `json:"event"`
		At       *time.Time      `json:"at,omitempty"`
		ID       string          `json:"id,omitempty"`
		Card     api.CardID      `json:"card_id,omitempty"`
		Label    api.Text        `json:"label,omitempty"`
		Last4    api.Text        `json:"last4,omitempty"`
		Type     string          `json:"type,omitempty"`
		Merchant api.Text        `json:"merchant,omitempty"`
		Amount   *api.USD        `json:"amount,omitempty"`
		Replaces api.ChallengeID `json:"replaces,omitempty"`
		Text     string          `json:"text,omitempty"`
	}{n.Kind, JSONTime(n.At), n.ID, n.Card, n.Label, n.Last4, n.Type, n.Merchant, n.Amount, n.Replaces, n.Text}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		return nil // There is nothing in it that JSON cannot say.
	}
	return line.Bytes()
}

// JSONTime is a time as JSON can say it: the year has four digits.
func JSONTime(t time.Time) *time.Time {
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}
