package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
)

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
