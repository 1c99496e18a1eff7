package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/state"
)

// version is that of the lines, to be raised when an older program would misread them.
const version = 1

// line is a record as it is in the file. Amounts are USD.
type line struct {
	Version     int                `json:"v,omitempty"`
	At          time.Time          `json:"at"`
	User        string             `json:"user,omitempty"`
	Mode        string             `json:"mode,omitempty"`
	Profile     string             `json:"profile,omitempty"`
	Action      string             `json:"action"`
	Method      string             `json:"method,omitempty"`
	Route       string             `json:"route,omitempty"`
	Card        api.CardID         `json:"card,omitempty"`
	Name        string             `json:"name,omitempty"`
	Label       string             `json:"label,omitempty"`
	Amount      api.USD            `json:"amount,omitempty"`
	Asked       api.USD            `json:"asked,omitempty"`
	Mismatch    string             `json:"mismatch,omitempty"`
	CardBefore  *api.USD           `json:"card_before,omitempty"`
	CardAfter   *api.USD           `json:"card_after,omitempty"`
	WalletAfter *api.USD           `json:"wallet_after,omitempty"`
	CardShown   *api.USD           `json:"card_shown,omitempty"`
	WalletShown *api.USD           `json:"wallet_shown,omitempty"`
	LimitBefore *api.USD           `json:"limit_before,omitempty"`
	RequestID   api.Text           `json:"request_id,omitempty"`
	Outcome     state.OpStatus     `json:"outcome"`
	Err         string             `json:"error,omitempty"`
	Tries       int                `json:"tries,omitempty"`
	Millis      int64              `json:"ms,omitempty"`
	Key         api.IdempotencyKey `json:"key"`
	Digest      string             `json:"digest,omitempty"`
	Plan        state.PlanID       `json:"plan,omitempty"`
	Via         string             `json:"via,omitempty"`
	Rule        string             `json:"rule,omitempty"`
	By          string             `json:"by,omitempty"`
	Role        string             `json:"role,omitempty"`
	From        string             `json:"from,omitempty"`
	Approved    string             `json:"approved,omitempty"`
	// Prev is the SHA-256 of the line before, hex; empty in the first of all.
	Prev string `json:"prev,omitempty"`
}

func lineOf(r state.Record, prev string) line {
	return line{
		Version: version,
		At:      r.At, User: r.User, Mode: r.Mode, Profile: r.Profile, Action: r.Action, Method: r.Method, Route: r.Route,
		Card: r.Card, Name: r.Name, Label: r.Label, Amount: r.Amount, Asked: r.Asked, Mismatch: r.Mismatch, CardBefore: r.CardBefore, CardAfter: r.CardAfter, WalletAfter: r.WalletAfter,
		CardShown: r.CardShown, WalletShown: r.WalletShown, LimitBefore: r.LimitBefore,
		RequestID: r.RequestID, Outcome: r.Outcome, Err: r.Err, Tries: r.Tries, Millis: r.Took.Milliseconds(), Key: r.Key, Digest: r.Digest, Plan: r.Plan, Via: r.Via, Rule: r.Rule,
		By: r.By.Name, Role: r.By.Role, From: r.By.From, Approved: r.By.Approved, Prev: prev,
	}
}

func (l line) record() state.Record {
	return state.Record{
		At: l.At, User: l.User, Mode: l.Mode, Profile: l.Profile, Action: l.Action, Method: l.Method, Route: l.Route,
		Card: l.Card, Name: string(api.Clean(l.Name)), Label: string(api.Clean(l.Label)), Amount: l.Amount, Asked: l.Asked, Mismatch: string(api.Clean(l.Mismatch)), CardBefore: l.CardBefore, CardAfter: l.CardAfter, WalletAfter: l.WalletAfter,
		CardShown: l.CardShown, WalletShown: l.WalletShown, LimitBefore: l.LimitBefore,
		RequestID: l.RequestID, Outcome: l.Outcome, Err: string(api.Clean(l.Err)), Tries: l.Tries,
		Took: time.Duration(l.Millis) * time.Millisecond, Key: l.Key, Digest: l.Digest, Plan: l.Plan, Via: l.Via, Rule: string(api.Clean(l.Rule)),
		By: state.Actor{Name: string(api.Clean(l.By)), Role: string(api.Clean(l.Role)), From: string(api.Clean(l.From)), Approved: string(api.Clean(l.Approved))},
	}
}

// stored is a line as it was read.
type stored struct {
	line
	number int    // within its part, from 1
	hash   string // of its bytes; empty for one that is no record
	// damaged reports whether it is no record and not the beginning of one either.
	damaged bool
	raw     []byte // of a damaged one
}

// split splits a part, or its end, into lines. A line that is no record, such as one
// that a crash has cut, has no hash and is not in the chain; empty ones are skipped. It is
// an error when a newer program wrote one.
func split(data []byte) ([]stored, error) {
	var out []stored
	for n, raw := range bytes.Split(data, []byte("\n")) {
		if len(raw) == 0 {
			continue
		}
		s, err := parse(raw)
		if err != nil {
			return nil, err
		}
		s.number = n + 1
		out = append(out, s)
	}
	return out, nil
}

func parse(raw []byte) (s stored, err error) {
	kind := format.CheckLine(raw, "")
	known := json.Unmarshal(raw, &s.line) == nil && s.Outcome != ""
	if known && kind != format.Damaged {
		if err := format.Check(s.Version, version); err != nil {
			return s, err
		}
	}
	if kind == format.Unsealed && known {
		known = format.Strict(raw, &line{}) == nil
	}
	if !known || kind == format.Damaged {
		return stored{damaged: !format.IsCut(raw), raw: raw}, nil
	}
	sum := sha256.Sum256(raw)
	s.hash = hex.EncodeToString(sum[:])
	return s, nil
}

// damage describes a damaged line of a part.
func (s *stored) damage(path string) state.Damage {
	card, amount := format.Legible(s.raw)
	d := state.Damage{Path: path, Line: s.number, Card: api.CardID(card), Amount: api.Text(amount)}
	if info, err := os.Lstat(path); err == nil {
		d.At = info.ModTime()
	}
	return d
}
