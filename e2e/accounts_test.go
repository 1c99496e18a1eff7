package e2e

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/ui"
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
