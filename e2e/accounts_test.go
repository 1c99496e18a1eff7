package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
)

// withAccounts gives a story three accounts, of which the middle one is open.
func withAccounts(c *ui.Config) {
	c.Accounts = []ui.Account{
		{ID: "1", Name: "team", Where: "https://api.example.com"},
		{ID: "2", Name: "demo", Where: "the embedded sandbox", Here: true},
		{ID: "3", Name: "agency", Where: "https://cards.example.org", ReadOnly: true},
	}
}

// ends waits for the end of the program and gives the account it ends for.
func (d *driver) ends() *ui.Account {
	d.t.Helper()
	d.wait(100 * time.Millisecond)
	select {
	case err := <-d.done:
		d.done <- err
	default:
		d.t.Fatalf("the program goes on:\n%s", d.screen())
	}
	return d.app.Next()
}

func TestTurningToAnotherProfile(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.press("W")
		d.see("▸  agency", "read-only, https://cards.example.org", "✓ demo", "current: the embedded sandbox")
		d.press("up", "enter")
		d.seeNot("Accounts")
		d.press("W", "enter")
		if to := d.ends(); to == nil || to.Name != "agency" {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

// TestAPasteTurnsToNoProfile: enter leaves this account, so that no burst does.
func TestAPasteTurnsToNoProfile(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.press("W")
		d.wait(time.Second)
		d.send("j\r")
		d.wait(time.Second)
		d.see("Accounts")
	})
}

// TestTheListBeginsOnTheProfileOfBefore: there and back takes the same keys.
func TestTheListBeginsOnTheProfileOfBefore(t *testing.T) {
	t.Parallel()
	story(t, options{change: func(c *ui.Config) {
		withAccounts(c)
		c.Accounts[0].Before = true
	}}, func(d *driver) {
		d.press("W")
		d.see("▸  team")
	})
}

func TestQuittingTurnsToNoProfile(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.press("W", "esc", "q")
		if to := d.ends(); to != nil {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

func TestWithoutAnotherProfileItSaysHowThereIsOne(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("W")
		d.see("no other profile: add [profiles.NAME]")
	})
}

// TestTurningAsksWhileAWriteHasNoAnswer: what is under way is told of, and the
// key that asked answers.
func TestTurningAsksWhileAWriteHasNoAnswer(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.pick()
		d.fault(fundRoute, "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.giveUp()
		d.press("W", "enter")
		d.wait(time.Second)
		d.see("Switch to agency", "1 operation has no response", "W switch")
		d.press("enter")
		d.seeNot("Switch to agency")
		d.press("W", "enter")
		d.wait(time.Second)
		d.press("W")
		if to := d.ends(); to == nil || to.Name != "agency" {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

// newProfiles stores accounts nowhere; keys are the drafts' that it was given.
type newProfiles struct{ keys chan string }

func (newProfiles) Keyring(context.Context) error { return nil }

func (p newProfiles) Try(_ context.Context, d accounts.Draft) (accounts.Found, error) {
	time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
	if key := d.Key.Expose(); key != "sk_live_typed" {
		return accounts.Found{}, &accounts.FieldError{Field: accounts.FieldKey, Reason: "the API refused the key"}
	}
	return accounts.Found{Mode: "LIVE", Wallet: 1234 * api.Dollar}, nil
}

func (p newProfiles) Save(_ context.Context, d accounts.Draft) (dialog.Account, error) {
	p.keys <- d.Key.Expose()
	return dialog.Account{ID: "profile " + d.Name, Name: d.Name}, nil
}

func (newProfiles) Remove(context.Context, *lang.Words, string) (string, error) { return "", nil }
func (newProfiles) Files(name string) string {
	return "~/.local/state/cardtop/profiles/" + name + "-*"
}

// withProfiles gives a story accounts that can be changed.
func withProfiles(c *ui.Config) {
	withAccounts(c)
	c.Profiles = newProfiles{make(chan string, 1)}
	for i := range c.Accounts {
		if !c.Accounts[i].Here {
			c.Accounts[i].Stored = &dialog.Stored{Address: c.Accounts[i].Where + "/v1"}
		}
	}
}

// TestTheFirstAccountIsAddedOnTheSandbox: typed, tested, stored and opened, and
// its key is nowhere on the screen.
func TestTheFirstAccountIsAddedOnTheSandbox(t *testing.T) {
	t.Parallel()
	p := newProfiles{make(chan string, 1)}
	first := func(c *ui.Config) {
		c.Mode, c.Profiles = ui.Sandbox, p
		c.Accounts = []ui.Account{{ID: "first", Name: "demo", Sandbox: true, Here: true}}
	}
	story(t, options{change: first}, func(d *driver) {
		d.press("W")
		d.see("Add an account")
		d.send("team")
		d.press("tab")
		d.send("https://api.example.com/v1")
		d.press("tab")
		d.paste("sk_live_type\n")
		d.wait(time.Second)
		d.press("enter")
		d.see("testing…")
		d.wait(2 * time.Second)
		d.see("the API refused the key", "https://api.example.com/v1")
		d.press("d")
		d.wait(time.Second)
		d.press("enter")
		d.wait(2 * time.Second)
		d.see("LIVE", "$1,234.00", "enter add and switch")
		d.seeNot("sk_live_type")
		d.wait(time.Second)
		d.press("enter")
		if to := d.ends(); to == nil || to.Name != "team" || <-p.keys != "sk_live_typed" {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

// TestAClosedFormOpensNoAccount: what the test of it brings later is dropped.
func TestAClosedFormOpensNoAccount(t *testing.T) {
	t.Parallel()
	story(t, options{change: withProfiles}, func(d *driver) {
		d.press("W", "n")
		d.send("agency")
		d.press("tab")
		d.send("x")
		d.wait(time.Second)
		d.press("enter")
		d.see("there is an account agency")
		d.send("2")
		d.wait(time.Second)
		d.press("enter")
		d.see("testing…")
		d.press("esc")
		d.wait(2 * time.Second)
		d.seeNot("Add an account", "the API refused the key")
	})
}
