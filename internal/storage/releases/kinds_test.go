package releases_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/internal/storage/usage"
	"github.com/cardtop/cardtop/internal/storage/views"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/wallets"
)

// made is when the files were.
func made() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) }

func day() time.Time { return made().Truncate(24*time.Hour).AddDate(0, 0, -1) }

func account() cache.Account {
	return cache.Account{Origin: "https://api.example.com:443", Mode: "TEST", Key: api.NewAPIKey("sk_test_releases")}
}

// must fails the test for an error of what is not looked at.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails the test when what was read is not what was written.
func same(t *testing.T, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("it holds %s, not %s", g, w)
	}
}

// raised replaces the version of a file.
func raised(from, to string) func([]byte) []byte {
	return func(data []byte) []byte { return bytes.Replace(data, []byte(from), []byte(to), 1) }
}

// raisedLine is raised for a file of lines with checksums, which are the same in every format.
func raisedLine(from, to string) func([]byte) []byte {
	return func(data []byte) []byte {
		first, rest, _ := bytes.Cut(data, []byte("\n"))
		object := raised(from, to)(append(first[:bytes.LastIndex(first, []byte(`,"sum":`))], '}'))
		return append(format.Seal(object, ""), rest...)
	}
}

func kinds() []kind {
	return []kind{
		operations(), plan(), log(), cached(), closedDay(), names(), view(), pins(), requests(), people(), signing(), written(), world(),
	}
}

func operations() kind {
	const card, key = "card_000000000000000a", "key-1"
	return kind{
		name: "operations/*.jsonl",
		write: func(t *testing.T, dir string) {
			t.Helper()
			j := must(journal.Open(dir, made))(t)
			op := state.Op{Kind: state.OpFund, Card: card, Amount: 25 * api.Dollar, Key: key, At: made()}
			ok(t, j.Begin(op, must(api.FundWrite(card, op.Amount))(t)))
			ok(t, j.End(op, api.Unknown))
			ok(t, j.Close())
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			j, err := journal.Open(dir, made)
			if err != nil {
				return err
			}
			left := j.Pending()
			if len(left) != 1 {
				t.Fatalf("%d operations are left", len(left))
			}
			same(t, []any{left[0].Kind, left[0].Card, left[0].Amount, left[0].Key, left[0].At}, []any{state.OpFund, card, 25 * api.Dollar, key, made()})
			return j.Close()
		},
		later: raisedLine(`"v":1`, `"v":2`),
	}
}

func plan() kind {
	const id, card, key = "any", "card_000000000000000a", "key-2"
	return kind{
		name: "plans/*.jsonl",
		write: func(t *testing.T, dir string) {
			t.Helper()
			p := must(plans.Open(dir))(t)
			row := state.PlanRow{Card: card, Key: key, Amount: 5 * api.Dollar, Write: state.Fund(card, 5*api.Dollar)}
			ok(t, p.Keep(&state.Plan{ID: "1-" + id, Kind: state.BulkFund, Amount: 5 * api.Dollar, Made: made(), Rows: []state.PlanRow{row}}))
			ok(t, p.Begun("1-"+id, key, made()))
			ok(t, p.Close())
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			p := must(plans.Open(dir))(t)
			found, err := p.Find()
			if err = errors.Join(err, p.Close()); err != nil {
				return err
			}
			if len(found) != 1 || len(found[0].Plan.Rows) != 1 {
				t.Fatalf("%d plans are left", len(found))
			}
			row := found[0].Plan.Rows[0]
			same(t, []any{found[0].Plan.Kind, row.Card, row.Amount, found[0].Begun[key]}, []any{state.BulkFund, card, 5 * api.Dollar, made()})
			return nil
		},
		later: raisedLine(`"v":1`, `"v":2`),
	}
}

func log() kind {
	open := func(dir string) (*history.Log, error) {
		return history.Open(history.Config{Dir: dir, User: "ann", Mode: "TEST", Profile: "team", Now: made})
	}
	return kind{
		name: "history.jsonl",
		write: func(t *testing.T, dir string) {
			t.Helper()
			_ = must(must(open(dir))(t).Add(state.Record{Action: "fund", Card: "card_1", Amount: 5 * api.Dollar, Outcome: state.OpStatusDone, Key: "key-3"}))(t)
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			l, err := open(dir)
			if err != nil {
				return err
			}
			all := must(l.Load(10))(t)
			if len(all) != 1 {
				t.Fatalf("%d records", len(all))
			}
			r := all[0]
			same(t, []any{r.At, r.User, r.Action, r.Card, r.Amount, r.Outcome, r.Key}, []any{made(), "ann", "fund", "card_1", 5 * api.Dollar, state.OpStatusDone, "key-3"})
			report := must(l.Verify())(t)
			same(t, report.Lines, 1)
			return nil
		},
		later: raisedLine(`"v":1`, `"v":2`),
	}
}

func cached() kind {
	snapshot := state.Snapshot{At: made(), CardsAt: made(), Cards: cardlist.ListOf(cardlist.Card{ID: "card_1", Label: "fb/1", Balance: 12 * api.Dollar})}
	return kind{
		name: "cache.bin",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, cache.Open(dir, account()).Save(snapshot))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, _, err := cache.Open(dir, account()).Load(made(), 10)
			if err != nil {
				return err
			}
			c := got.Cards.At(0)
			same(t, []any{got.At, c.ID, c.Label, c.Balance}, []any{made(), "card_1", "fb/1", 12 * api.Dollar})
			return nil
		},
		change: func(dir string) error { return cache.Open(dir, account()).Save(snapshot) },
		later:  raised("cache 5\n", "cache 6\n"),
	}
}

func closedDay() kind {
	closed := ledger.Closed{
		Day: day(), Cards: []api.CardID{"card_1"}, Merchants: []api.Text{"Acme"}, Countries: []api.Text{"US"},
		Rows: []ledger.ClosedRow{{ID: 7, At: 5, Amount: 3 * api.Dollar, Type: api.TransactionSettlement, Country: 1}},
	}
	return kind{
		name: "days/*.bin",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, cache.OpenDays(dir, account()).Save(closed))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := cache.OpenDays(dir, account()).Load(day())
			if err == nil {
				same(t, got, closed)
			}
			return err
		},
		change: func(dir string) error { return cache.OpenDays(dir, account()).Save(closed) },
		later:  raised("day 3\n", "day 4\n"),
	}
}

func names() kind {
	save := func(dir string) error {
		l := cache.OpenListed(dir, account())
		l.Add([]api.CardItem{{ID: "card_1", Label: "fb/1", Last4: "4242"}})
		return l.Save(made())
	}
	return kind{
		name: "names.bin",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, save(dir))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := cache.ReadNames(dir)
			if err == nil {
				same(t, []any{got.At, got.Cards[0].ID, got.Cards[0].Label, got.Cards[0].Last4}, []any{made(), "card_1", "fb/1", "4242"})
			}
			return err
		},
		change: save,
		later:  raised("names 1\n", "names 2\n"),
	}
}

func view() kind {
	want := settings.Views{settings.CardList: {Sort: "balance", Tabs: []settings.Tab{{Name: "low", Filter: "bal<20"}}}}
	return kind{
		name: "views.json",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, views.Open(dir).Keep(1, want))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := views.Open(dir).Load()
			if err == nil {
				same(t, got, want)
			}
			return err
		},
		change: func(dir string) error { return views.Open(dir).Keep(1, want) },
		later:  raised(`"version": 1`, `"version": 2`),
	}
}

func pins() kind {
	seen := []wallets.Pin{{Currency: "btc", Address: "bc1qexample", Network: "bitcoin", Since: made()}}
	keep := func(dir string) error {
		_, err := addresses.Open(dir).Keep(seen, false)
		return err
	}
	return kind{
		name: "addresses.json",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, keep(dir))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := addresses.Open(dir).Load()
			if err == nil {
				same(t, got, seen)
			}
			return err
		},
		change: keep,
		later:  raised(`"version": 1`, `"version": 2`),
	}
}

func requests() kind {
	open := func(dir string, pid int) (*usage.Share, error) {
		s, err := usage.Open(dir, account().Origin, account().Key, pid, made())
		if s != nil {
			s.Alive = func(int) bool { return false }
		}
		return s, err
	}
	sent := []budget.Entry{{Start: made(), Lane: "codes", Count: 3}}
	return kind{
		name: "usage/*/1-*.json",
		write: func(t *testing.T, dir string) {
			t.Helper()
			_, _, err := must(open(dir, 1))(t).Sync(made(), sent)
			ok(t, err)
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, _, err := must(open(dir, 2))(t).Sync(made(), nil)
			if err == nil {
				same(t, got, sent)
			}
			return err
		},
		later: raised(`"version":1`, `"version":2`),
	}
}

func people() kind {
	add := func(dir, name string) error {
		_, err := team.InDir(dir).Add(team.Person{Name: name, Role: team.Buyer, Labels: []string{"fb/*"}, Cap: 500 * api.Dollar, Added: made()}, false)
		return err
	}
	return kind{
		name: team.FileName,
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, add(dir, "ann"))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := team.InDir(dir).Load()
			if err != nil {
				return err
			}
			p, there := got.Named("ann")
			if !there {
				t.Fatal("ann is not there")
			}
			same(t, []any{p.Role, p.Labels, p.Cap, p.Added}, []any{team.Buyer, []string{"fb/*"}, 500 * api.Dollar, made()})
			return nil
		},
		change: func(dir string) error { return add(dir, "bob") },
		later:  raised("version = 1\n", "version = 2\nnew = true\n"),
	}
}

// noKeyring is a machine without one: what is secret is then in a file.
type noKeyring struct{}

func (noKeyring) Get(string, string) (string, error) { return "", errors.ErrUnsupported }
func (noKeyring) Set(string, string, string) error   { return errors.ErrUnsupported }
func (noKeyring) Delete(string, string) error        { return errors.ErrUnsupported }

func signing() kind {
	store := func(dir string) endpoint.Stored {
		run := config.Resolved{Profile: "team", Push: config.Push{URL: "https://hooks.example.com/cardtop"}}
		return endpoint.Store(config.KeyStore{Keyring: noKeyring{}, KeyringTimeout: time.Minute}, run, config.ModeTest, dir)
	}
	want := endpoint.Kept{Webhook: "wh_1", Secret: api.NewSigningSecret("whsec_of_releases")}
	return kind{
		name: "push-*.secret",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, store(dir).Save(t.Context(), want))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := store(dir).Load(t.Context())
			if err == nil {
				same(t, []any{got.Webhook, got.Secret.Expose()}, []any{want.Webhook, want.Secret.Expose()})
			}
			return err
		},
		change: func(dir string) error { return store(dir).Save(context.Background(), want) },
		later:  raised("cardtop push 1\n", "cardtop push 2\n"),
	}
}

// written are settings, by people. They have no version: a setting that is not known is
// refused by its name, and nothing is changed in such a file.
func written() kind {
	const text = "theme = \"light\"\n[guardrails]\nmax_day = \"5000\"\n[profiles.team]\nbase_url = \"https://api.example.com/v1\"\n" +
		"[[rules]]\nname = \"topup\"\nwhen = \"bal<20\"\nfund_to = \"50\"\nmax_per_day = \"500\"\n"
	source := func(dir string) config.Source {
		return config.Source{Path: filepath.Join(dir, "config.toml"), Asked: true}
	}
	return kind{
		name: "config.toml",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, os.WriteFile(source(dir).Path, []byte(text), 0o600))
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			got, err := source(dir).Load()
			if err == nil {
				same(t, []any{got.Theme, len(got.Profiles), len(got.Rules)}, []any{"light", 1, 1})
			}
			return err
		},
	}
}

// TestALaterSettingIsRefused holds what takes the place of a version in the configuration.
func TestALaterSettingIsRefused(t *testing.T) {
	s := config.Source{Path: filepath.Join(t.TempDir(), "config.toml"), Asked: true}
	const text = "theme = \"light\"\nlater = 1\n"
	ok(t, os.WriteFile(s.Path, []byte(text), 0o600))
	_, err := s.Load()
	if err == nil || !strings.Contains(err.Error(), `config.toml:2:1: unknown setting "later"`) {
		t.Errorf("it says %v", err)
	}
	if err := s.Save([]settings.Setting{{Path: []string{"theme"}, Value: `"dark"`}}); err == nil {
		t.Error("it was changed")
	}
	if now := content(t, s.Path); string(now) != text {
		t.Errorf("it is %q now", now)
	}
}
