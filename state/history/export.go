package history

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// Filter says which records are wanted. Fields that are empty take all.
type Filter struct {
	// Text are words that all have to be there.
	Text            string
	Action, Outcome string
	// Card is an id, or a part of the label or of the last digits.
	Card  string
	Since time.Time
}

// Matches tells whether a record is wanted.
func (f Filter) Matches(r state.Record) bool {
	switch {
	case f.Action != "" && r.Action != f.Action, f.Outcome != "" && r.Outcome != f.Outcome, r.At.Before(f.Since):
		return false
	case f.Card != "" && string(r.Card) != f.Card && !strings.Contains(strings.ToLower(r.Name), strings.ToLower(f.Card)):
		return false
	}
	return r.Matches(strings.Fields(strings.ToLower(f.Text)))
}

// header names the columns of the CSV.
func header() []string {
	return []string{
		"time", "user", "mode", "profile", "action", "card", "name", "amount", "card_before", "card_after", "wallet_after",
		"outcome", "error", "request_id", "tries", "ms", "method", "route", "key",
	}
}

// WriteCSV writes records with a header. Amounts are USD, times UTC. No cell
// is a formula to a program that opens it.
func WriteCSV(w io.Writer, records []state.Record) error {
	out := csv.NewWriter(w)
	if err := out.Write(header()); err != nil {
		return err
	}
	for _, r := range records {
		cells := []string{
			r.At.UTC().Format(time.RFC3339), r.User, r.Mode, r.Profile, r.Action, string(r.Card), r.Name,
			amount(&r.Amount), amount(r.CardBefore), amount(r.CardAfter), amount(r.WalletAfter),
			r.Outcome, r.Err, string(r.RequestID), strconv.Itoa(r.Tries), strconv.FormatInt(r.Took.Milliseconds(), 10), r.Method, r.Route, ShortKey(r.Key),
		}
		for i, c := range cells {
			cells[i] = inert(c)
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// inert takes from a cell that it is a formula.
func inert(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func amount(u *api.USD) string {
	if u == nil {
		return ""
	}
	return u.String()
}

// ShortKey is the beginning of an idempotency key, enough to tell it from
// others.
func ShortKey(key api.IdempotencyKey) string {
	const shown = 8
	return string(key[:min(len(key), shown)])
}

// WriteJSON writes records as JSON, one a line, in the form of the file.
func WriteJSON(w io.Writer, records []state.Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(lineOf(r, "")); err != nil {
			return err
		}
	}
	return nil
}

// sameSecond bounds how many exports of one second get a name.
const sameSecond = 100

// Export writes records to a new CSV file: in the working directory, or in
// the profile's folder when that cannot be written to. It gives the path.
func (l *Log) Export(records []state.Record) (path string, err error) {
	f, err := l.create(".")
	if err != nil && l.cfg.Dir != "" {
		f, err = l.create(l.cfg.Dir)
	}
	if err != nil {
		return "", fmt.Errorf("export history: %w", err)
	}
	err = WriteCSV(f, records)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("export history: %w", err)
	}
	return filepath.Abs(f.Name())
}

// create makes a file that was not there, for this user alone.
func (l *Log) create(dir string) (*os.File, error) {
	name := "cardtop-history-" + l.cfg.Now().UTC().Format("20060102-150405")
	for n := range sameSecond {
		path := filepath.Join(dir, name+".csv")
		if n > 0 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.csv", name, n))
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // a name of our own making
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
	return nil, errors.New("too many exports in one second")
}
