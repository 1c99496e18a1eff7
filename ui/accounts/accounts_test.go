package accounts_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// server answers for one account. Its fields change between steps.
type server struct {
	openErr, err error
	codes        []api.Challenge
	wallet       api.USD

	opened, closed, requests int
	read                     []api.ChallengeID // by id
	now                      time.Duration
}

func (s *server) Mode() string { return "LIVE" }

func (s *server) Config() settings.Config {
	return settings.Config{
		Rand: func() float64 { return 0.5 }, ReadOnly: true, Background: true,
		Only: []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.History},
	}
}

func (s *server) Close() { s.closed++ }

func (s *server) Run(e kernel.Effect) kernel.Event {
	m := kernel.Meta{Sent: panetest.At(s.now), At: panetest.At(s.now)}
	s.requests++
	if s.err != nil {
		return state.FetchFailed{Meta: m, Effect: e, Err: s.err}
	}
	switch e := e.(type) {
	case codes.Fetch:
		return codes.Loaded{Fetch: e, Meta: m, Items: s.challenges()}
	case codes.FetchOne:
		s.read = append(s.read, e.Challenge)
		for _, c := range s.challenges() {
			if c.ID == e.Challenge {
				return codes.OneLoaded{Meta: m, Item: c}
			}
		}
		return nil
	case wallets.Fetch:
		return wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: s.wallet}}
	case txns.Fetch:
		return txns.Loaded{Fetch: e, Meta: m}
	case state.FetchCards:
		return state.CardsLoaded{FetchCards: e, Meta: m, TotalPages: 1, Total: 1, Items: []api.CardItem{panetest.Card("card_4462", "fb/launch", 30*api.Dollar)}}
	default:
		return nil
	}
}

func (s *server) challenges() []api.Challenge {
	out := slices.Clone(s.codes)
	for i := range out {
		out[i].OTP = api.NewOTP(out[i].OTP.Bytes())
	}
	return out
}

// world are the accounts by their ids.
type world map[string]*server

func (w world) Open(a dialog.Account) (accounts.Session, error) {
	s := w[a.ID]
	if s.openErr != nil {
		return nil, s.openErr
	}
	s.opened++
	return s, nil
}

// desk is a screen of accounts and its time.
type desk struct {
	*accounts.Overview
	world world
	here  *panetest.Account
	list  []dialog.Account
	now   time.Duration
}

func opened() *desk {
	d := &desk{world: world{"main": {wallet: 900 * api.Dollar}, "old": {wallet: 5 * api.Dollar}}}
	d.list = []dialog.Account{
		{ID: "here", Name: "demo", Where: "the embedded sandbox", Sandbox: true, Here: true},
		{ID: "main", Name: "main", Where: "api.example.com"},
		{ID: "old", Name: "old", Where: "api.example.org", ReadOnly: true},
	}
	d.Overview = accounts.NewOverview(d.world)
	d.Watch(d.list)
	return d
}

// step lets time pass in tenths of a second, and runs what is due.
func (d *desk) step(span time.Duration, on bool) {
	for end := d.now + span; d.now < end; d.now += 100 * time.Millisecond {
		for jobs := d.Step(panetest.At(d.now), on); len(jobs) > 0; jobs = d.Step(panetest.At(d.now), on) {
			for _, s := range d.world {
				s.now = d.now
			}
			for _, job := range jobs {
				job()()
			}
		}
	}
}

func (d *desk) screen(t *testing.T, w, h int, changes ...func(*settings.Config)) *panetest.Screen {
	t.Helper()
	d.here = panetest.New(t, changes...)
	d.here.Wallet.Balance = 100 * api.Dollar
	d.here.Wait(0)
	return panetest.Open(t, d.here, accounts.New(panetest.Theme(t), d.Overview, accounts.Here{Mode: "SANDBOX", Profile: "demo"}, func() []dialog.Account { return d.list }), w, h)
}

// TestACountOfAlertsIsAtLeastUntilAllWasRead that alerts come of.
func TestACountOfAlertsIsAtLeastUntilAllWasRead(t *testing.T) {
	t.Parallel()
	d := opened()
	d.step(3*time.Second, true)
	s := d.screen(t, 158, 20, func(c *settings.Config) {
		c.Alerts = alert.Rules{Wallet: 200 * api.Dollar, Rate: []int{15}, RateFrom: 20}
	})
	panetest.See(t, s.Line(" demo"), "≥1")
	d.here.Store.Insight.Ledger().Cover(panetest.At(-20*24*time.Hour), panetest.At(0))
	d.here.Wait(time.Minute)
	s.Look()
	panetest.See(t, s.Line(" demo"), " 1 ")
}

// TestAPrivateScreenHidesAmountsAndCards of every account.
func TestAPrivateScreenHidesAmountsAndCards(t *testing.T) {
	t.Parallel()
	d := opened()
	d.world["main"].codes = []api.Challenge{panetest.Code("3ds_1", "card_4462", "Meta Platforms", "482913", 0)}
	d.step(3*time.Second, true)
	s := d.screen(t, 158, 20, panetest.Private)
	s.Act(keymap.Down)
	s.Look()
	s.See("Meta Platforms", "main")
	s.SeeNot("900.00", "25.00", "fb/launch", "4462")
}

// TestTheNewestCodeOfAnyAccountIsReadWhenItIsWanted and held nowhere before.
func TestTheNewestCodeOfAnyAccountIsReadWhenItIsWanted(t *testing.T) {
	t.Parallel()
	d := opened()
	d.world["old"].codes = []api.Challenge{panetest.Code("3ds_1", "card_4462", "Google", "111111", -2*time.Minute)}
	d.world["main"].codes = []api.Challenge{panetest.Code("3ds_2", "card_4462", "Meta Platforms", "482913", -time.Minute)}
	d.step(3*time.Second, true)
	d.screen(t, 100, 20)
	if n := len(d.world["main"].read) + len(d.world["old"].read); n > 0 {
		t.Fatalf("%d codes were read that nobody wanted", n)
	}
	d.here.Codes = []api.Challenge{panetest.Code("3ds_0", "card_1", "TikTok", "000000", -4*time.Minute)}
	d.here.Wait(3 * time.Second)
	copied := func(id string) string {
		from, ok := d.Newest(id, d.here.Store, "here")
		if !ok || from.Job == nil {
			return fmt.Sprintf("%s %v", from.Here, ok)
		}
		from.Job()()
		in, ok := d.Copied()
		if !ok {
			return d.Told(nil)
		}
		_, effects, err := d.here.Store.Dispatch(in)
		if err != nil {
			return err.Error()
		}
		e, _ := effects[0].(secrets.CopyOTP)
		return in.Account + " " + in.Card + " " + e.OTP.Expose() + " " + fmt.Sprint(e.Own, e.TTL)
	}
	for id, want := range map[string]string{
		"": "main fb/launch ••4462 482913 true 30s", "old": "old fb/launch ••4462 111111 true 30s", "here": "3ds_0 true",
	} {
		if got := copied(id); got != want {
			t.Errorf("%q: %s", id, got)
		}
	}
	if c := d.here.Store.Secrets.Clip(); c.What != "" {
		t.Errorf("the clipboard holds %q before it was copied", c.What)
	}
	// The code of the account on the screen is newer.
	d.here.Codes = []api.Challenge{panetest.Code("3ds_9", "card_1", "TikTok", "999999", 2*time.Second)}
	d.here.Wait(3 * time.Second)
	if from, ok := d.Newest("", d.here.Store, "here"); !ok || from.Here != "3ds_9" || from.Job != nil {
		t.Errorf("%+v, %v", from, ok)
	}
	// What cannot be read says so.
	d.world["main"].codes[0].Status = api.ChallengeCompleted
	if got := copied("main"); got != "that code of main has ended" {
		t.Errorf("%s", got)
	}
	d.world["main"].err = api.ErrUnreachable
	if got := copied("main"); got == "" || got[:21] != "code of main not read" {
		t.Errorf("%s", got)
	}
}

// TestTheKeysOfTheScreen ask for the account under the cursor.
func TestTheKeysOfTheScreen(t *testing.T) {
	t.Parallel()
	d := opened()
	s := d.screen(t, 100, 20)
	s.Act(keymap.Down)
	s.Asks(keymap.SwitchAccount, pane.SwitchAccount{ID: "main"})
	s.Asks(keymap.CopyThisCode, pane.CopyAccountCode{ID: "main"})
	s.Asks(keymap.CopyAnyCode, pane.CopyAccountCode{})
	s.Asks(keymap.Reload, pane.ReopenAccounts{})
}

// TestAnHourOfAnAccountInTheBackground counts its requests: docs/LIMITS.md has them.
func TestAnHourOfAnAccountInTheBackground(t *testing.T) {
	t.Parallel()
	d := opened()
	d.step(time.Hour, true)
	if n := d.world["main"].requests; n < 800 || n > 1000 {
		t.Errorf("%d requests in an hour", n)
	} else {
		t.Logf("%d requests in an hour", n)
	}
}
