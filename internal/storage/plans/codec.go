package plans

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/state"
)

// line is one line of a file: the plan first, and then a line for every row
// that began. It holds no secret: no write of a card carries one.
type line struct {
	Version int                `json:"v,omitempty"` // in the first
	Plan    *planRecord        `json:"plan,omitempty"`
	Begun   api.IdempotencyKey `json:"begun,omitempty"`
	At      time.Time          `json:"at,omitzero"`
}

// version is that of a file, to be raised when an older program would misread it.
const version = 1

type planRecord struct {
	ID          state.PlanID   `json:"id"`
	Kind        state.BulkKind `json:"kind"`
	Share       state.Share    `json:"share,omitempty"`
	Amount      api.USD        `json:"amount,omitempty"`
	Made        time.Time      `json:"made"`
	StopOnError bool           `json:"stop_on_error,omitempty"`
	Rule        string         `json:"rule,omitempty"`
	Wallet      api.USD        `json:"wallet"`
	WalletEnd   api.USD        `json:"wallet_end"`
	Part        int            `json:"part,omitempty"`
	Parts       int            `json:"parts,omitempty"`
	Rows        []rowRecord    `json:"rows"`
}

type rowRecord struct {
	Key    api.IdempotencyKey `json:"key,omitempty"`
	Do     string             `json:"do"`
	Card   api.CardID         `json:"card,omitempty"`
	Name   string             `json:"name,omitempty"`
	Line   int                `json:"line,omitempty"`
	Amount api.USD            `json:"amount,omitempty"`
	Before api.USD            `json:"before,omitempty"`
	After  api.USD            `json:"after,omitempty"`
	Out    string             `json:"out,omitempty"`
	Skip   string             `json:"skip,omitempty"`
	Later  bool               `json:"later,omitempty"`

	Change *api.UpdateCardRequest `json:"change,omitempty"`
	Issue  *api.CreateCardRequest `json:"issue,omitempty"`
}

func encode(p *state.Plan, account string) ([]byte, error) {
	r := &planRecord{
		ID: p.ID, Kind: p.Kind, Share: p.Share, Amount: p.Amount, Made: p.Made.UTC().Round(0), StopOnError: p.StopOnError, Rule: p.Rule,
		Wallet: p.Wallet, WalletEnd: p.WalletEnd, Part: p.Part, Parts: p.Parts,
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		out := rowRecord{
			Key: row.Key, Card: row.Card, Name: row.Name, Line: row.Line,
			Amount: row.Amount, Before: row.Before, After: row.After, Out: row.Out, Skip: row.Skip, Later: row.Later,
		}
		w := &row.Write
		if !w.Complete() {
			return nil, fmt.Errorf("a row does %s, and not all of it is known", w.Kind)
		}
		out.Do, out.Change, out.Issue = w.Kind.Verb(), w.Change, w.Request
		r.Rows = append(r.Rows, out)
	}
	return end(line{Version: version, Plan: r}, account)
}

func mark(key api.IdempotencyKey, at time.Time, account string) ([]byte, error) {
	return end(line{Begun: key, At: at.UTC()}, account)
}

func end(l line, account string) ([]byte, error) {
	data, err := json.Marshal(l)
	return format.Seal(data, account), err
}

// decode decodes a file. A file without a complete first line holds no plan: its run
// was killed before anything was sent. A torn last line is of a row that did not
// begin. A file with a damaged line is not carried out: a row may have begun.
func decode(data []byte, account string) (p *state.Plan, begun map[api.IdempotencyKey]time.Time, err error) {
	first, rest, whole := bytes.Cut(data, []byte("\n"))
	if !whole {
		return nil, nil, nil
	}
	head, err := parse(first, account)
	if err != nil {
		return nil, nil, err
	}
	if head.Plan == nil {
		return nil, nil, errors.New("decode plan: the first line is none")
	}
	if p, err = head.Plan.plan(); err != nil {
		return nil, nil, err
	}
	begun = make(map[api.IdempotencyKey]time.Time)
	number := 1
	for text := range bytes.Lines(rest) {
		number++
		text = bytes.TrimSuffix(text, []byte("\n"))
		if len(text) == 0 || format.IsCut(text) {
			continue // A write that was cut short, perhaps with the next one after it.
		}
		l, err := parse(text, account)
		if err == nil && l.Begun == "" {
			err = errDamaged
		}
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", number, err)
		}
		begun[l.Begun] = l.At
	}
	return p, begun, nil
}

// errDamaged is that a line is not as it was written.
var errDamaged = errors.New("it is damaged, and its rows are not sent: compare the cards with cardtop history, then remove the file")

// parse decodes a line.
func parse(text []byte, account string) (l line, err error) {
	kind := format.CheckLine(text, account)
	if kind == format.Damaged || json.Unmarshal(text, &l) != nil {
		return l, errDamaged
	}
	if err := format.Check(l.Version, version); err != nil {
		return l, err
	}
	if kind == format.Unsealed && format.Strict(text, &line{}) != nil {
		return l, errDamaged
	}
	return l, nil
}

// plan checks that every row that runs has a key of its own: two rows of one
// key would be one request.
func (r *planRecord) plan() (*state.Plan, error) {
	p := &state.Plan{
		ID: r.ID, Kind: r.Kind, Share: r.Share, Amount: r.Amount, Made: r.Made, StopOnError: r.StopOnError, Rule: string(api.Clean(r.Rule)),
		Wallet: r.Wallet, WalletEnd: r.WalletEnd, WalletKnown: true, Part: r.Part, Parts: r.Parts,
	}
	if r.Kind < state.BulkFreeze || r.Kind > state.BulkIssue {
		return nil, fmt.Errorf("decode plan: kind %d is not known", r.Kind)
	}
	seen := make(map[api.IdempotencyKey]bool)
	for i := range r.Rows {
		row, err := r.Rows[i].row()
		if err != nil {
			return nil, err
		}
		if row.Runs() && (row.Key == "" || seen[row.Key]) {
			return nil, errors.New("decode plan: a row has no key of its own")
		}
		seen[row.Key] = true
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

func (r *rowRecord) row() (state.PlanRow, error) {
	row := state.PlanRow{
		Card: r.Card, Name: string(api.Clean(r.Name)), Line: r.Line, Key: r.Key,
		Amount: r.Amount, Before: r.Before, After: r.After, Out: string(api.Clean(r.Out)), Skip: string(api.Clean(r.Skip)), Later: r.Later,
	}
	w, _ := state.WriteOf(r.Do, r.Card)
	if w.Change, w.Request = r.Change, r.Issue; !w.Complete() {
		return row, fmt.Errorf("decode plan: %q is nothing a row does", r.Do)
	}
	if _, moves := w.Moves(); moves && w.Request == nil {
		w.Amount = r.Amount
	}
	row.Write = w
	return row, nil
}
