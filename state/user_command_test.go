package state_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

func owning(c *settings.Config) {
	c.Profile = "team"
	c.Commands = []settings.Command{
		{Name: "ads", Line: "open {label}"},
		{Name: "look", Line: "less", Reads: true},
		{Name: "charge", Line: "echo {merchant}", Where: settings.OnTransaction},
		{Name: "sync", Line: "make", Where: settings.Anywhere},
	}
}

// facts writes what a command is told.
func facts(f commands.Vars) string {
	var parts []string
	for _, fact := range f.List() {
		parts = append(parts, fact.Name+"="+fact.Text)
	}
	return strings.Join(parts, " ")
}

func TestACommandIsToldOfWhatIsUnderTheCursor(t *testing.T) {
	s := settled(t, owning)
	do(t, s, state.SelectCard{Card: first})
	ahead := one[state.FetchSummary](t, tick(s, 2*time.Second))
	apply(s, state.SummaryLoaded{FetchSummary: ahead, Meta: meta(2 * time.Second), Summary: api.CardSummary{ID: first, BIN: "411111", Label: "fb", Last4: "0001", Status: api.CardActive, Balance: 100 * dollar, ExpiresAt: time.Date(2029, 5, 31, 0, 0, 0, 0, time.UTC)}})
	row := txn(7, time.Hour, api.TransactionSettlement, -3*dollar)
	row.Merchant.Name = "Acme"
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row)
	for want, in := range map[string]commands.Run{
		"id=card_0001 last4=0001 label=fb status=active balance=100.00 bin= expiry=2029-05-31 profile=team":                                                           {Name: "ads", Card: first},
		"id=txn_00007 card_id=card_0001 last4=0001 label=fb merchant=Acme amount=-3.00 currency=USD type=settlement time=" + "2026-03-01T11:00:00Z" + " profile=team": {Name: "charge", Card: first, Transaction: "txn_00007"},
		"profile=team": {Name: "sync", Card: first},
	} {
		x := one[commands.Execute](t, do(t, s, in))
		if got := facts(x.Vars); got != want || len(x.Input) != 1 || facts(x.Input[0]) != want {
			t.Errorf("%s is told %s, and reads %v", in.Name, got, x.Input)
		}
		if c, _ := s.Commands.ByName(in.Name); x.Line != c.Line || x.Name != in.Name {
			t.Errorf("%s runs %q", in.Name, x.Line)
		}
	}
}

func TestACommandReadsTheChosenCards(t *testing.T) {
	s := settled(t, owning)
	x := one[commands.Execute](t, do(t, s, commands.Run{Name: "ads", Card: first, Chosen: []api.CardID{"card_0002", "card_gone", first}}))
	if x.Vars.Card != first || len(x.Input) != 2 || x.Input[0].Card != "card_0002" || x.Input[1].Card != first {
		t.Errorf("%+v", x)
	}
}

// TestACommandCannotBeToldASecret looks at every type that is in what a command
// is told: each is one that holds no number, CVV, code or key.
func TestACommandCannotBeToldASecret(t *testing.T) {
	t.Parallel()
	allowed := map[string]bool{
		"string": true, "bool": true, "settings.Where": true, "api.CardID": true, "api.TransactionID": true, "api.BINID": true,
		"api.Text": true, "api.CardStatus": true, "api.TransactionType": true, "api.USD": true, "api.Units": true, "time.Time": true,
	}
	fields := 0
	var look func(typ reflect.Type, at string)
	look = func(typ reflect.Type, at string) {
		switch {
		case allowed[typ.String()]:
			fields++
		case typ.Kind() == reflect.Struct:
			for i := range typ.NumField() {
				look(typ.Field(i).Type, at+"."+typ.Field(i).Name)
			}
		case typ.Kind() == reflect.Slice:
			look(typ.Elem(), at)
		default:
			t.Errorf("%s is a %s", at, typ)
		}
	}
	look(reflect.TypeFor[commands.Execute](), "Execute")
	if fields < 16 {
		t.Errorf("only %d fields were looked at", fields)
	}
	s := settled(t, owning)
	do(t, s, secrets.RevealCard{Card: first})
	apply(s, secrets.DetailsLoaded{FetchDetails: askedFor(s, first), Meta: meta(2 * time.Second), Details: details(first)})
	pollCodes(t, s, 3*time.Second, api.Challenge{ID: "3ds_1", CardID: first, Merchant: "Acme", OTP: api.NewOTP("918273"), Status: api.ChallengePending, CreatedAt: at(0), ExpiresAt: at(4 * time.Minute)})
	x := one[commands.Execute](t, do(t, s, commands.Run{Name: "ads", Card: first}))
	text := fmt.Sprintf("%+v %#v", x, x) + facts(x.Vars)
	for _, secret := range []string{"4111111111111111", "123", "918273"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is told to a command: %s", secret, text)
		}
	}
}

func TestWhyACommandDoesNotRun(t *testing.T) {
	ads, look := commands.Run{Name: "ads", Card: first}, commands.Run{Name: "look", Card: first}
	s := settled(t, owning)
	for want, in := range map[string]commands.Run{
		"there is no command gone any more":   {Name: "gone"},
		"no card is selected":                 {Name: "ads"},
		"no transaction is under the cursor":  {Name: "charge", Card: first},
		"no transaction is under the cursor ": {Name: "charge", Transaction: "txn_99999"},
		"":                                    {Name: "sync"},
	} {
		if got := reason(t, s, in); got != strings.TrimSpace(want) {
			t.Errorf("%+v: %q", in, got)
		}
	}
	do(t, s, ads)
	if got := reason(t, s, ads); got != "ads is still running" {
		t.Errorf("once more: %q", got)
	}
	do(t, s, look)
	apply(s, commands.Done{Meta: meta(2 * time.Second), Name: "ads"})
	do(t, s, ads)

	readers := settled(t, owning, readOnly)
	if got := reason(t, readers, ads); got != "read-only: ads may write; reads = true says that it does not" {
		t.Errorf("read-only: %q", got)
	}
	do(t, readers, look)
	do(t, s, state.ToggleDryRun{})
	apply(s, state.DryRunSet{Meta: meta(3 * time.Second), On: true})
	if got := reason(t, s, commands.Run{Name: "sync"}); !strings.HasPrefix(got, "dry run: sync may write") {
		t.Errorf("dry run: %q", got)
	}
	do(t, s, kernel.LockScreen{})
	if _, effects, err := s.Dispatch(look); err == nil || !strings.HasPrefix(err.Error(), "locked") || len(effects) > 0 {
		t.Errorf("locked: %v", err)
	}
}

func TestWhatCameOfACommandIsTold(t *testing.T) {
	for _, c := range []struct {
		done    commands.Done
		level   kernel.Level
		want    string
		private string
	}{
		{commands.Done{}, kernel.Good, "ads: done", "ads: done"},
		{commands.Done{Output: "opened fb/spring"}, kernel.Good, "ads: opened fb/spring", "ads: done"},
		{commands.Done{Failed: "exit status 3: no fb/spring", Output: "x"}, kernel.Bad, "ads: exit status 3: no fb/spring", "ads: failed"},
	} {
		for _, private := range []bool{false, true} {
			s := settled(t, owning)
			want := c.want
			if private {
				do(t, s, kernel.TogglePrivacy{})
				want = c.private
			}
			do(t, s, commands.Run{Name: "ads", Card: first})
			c.done.Meta, c.done.Name = meta(2*time.Second), "ads"
			apply(s, c.done)
			if n := s.Notice(); n.Text != want || n.Level != c.level || !n.Result {
				t.Errorf("%+v, private %v: %+v", c.done, private, n)
			}
		}
	}
}

func TestOtherCommandsComeIntoForce(t *testing.T) {
	s := settled(t, owning)
	s.Reload(settings.Reloadable{Commands: []settings.Command{{Name: "new", Line: "x {id}"}}})
	if got := reason(t, s, commands.Run{Name: "ads", Card: first}); got != "there is no command ads any more" {
		t.Errorf("the old one: %q", got)
	}
	if got := reason(t, s, commands.Run{Name: "new", Card: first, Line: "y {id}"}); got != "new has changed since: ask for it again" {
		t.Errorf("confirmed before: %q", got)
	}
	if x := one[commands.Execute](t, do(t, s, commands.Run{Name: "new", Card: first, Line: "x {id}"})); x.Line != "x {id}" || x.Vars.Profile != "team" {
		t.Errorf("%+v", x)
	}
}
