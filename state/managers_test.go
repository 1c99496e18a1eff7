package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

func TestAManagerThatMayKeepACopyIsNamedWithIt(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.Screen.FindManagers = true })
	found := func(names ...api.Text) {
		t.Helper()
		apply(s, secrets.ManagersFound{Meta: meta(time.Second), Names: names})
	}
	found("CopyQ")
	listed(t, s, 2*time.Second, wanted("3ds_1", "111111", 2*time.Second))
	copied := func(became secrets.ClipState, hinted bool) secrets.Clip {
		t.Helper()
		seq := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{})).Seq
		apply(s, secrets.ClipChanged{Seq: seq, At: at(3 * time.Second), State: became, Until: at(30 * time.Second), Hinted: hinted})
		return s.Secrets.Clip()
	}
	for _, c := range []struct {
		state   secrets.ClipState
		hinted  bool
		keepers string
	}{{secrets.ClipSent, false, ""}, {secrets.ClipCopied, true, ""}} {
		if got := copied(c.state, c.hinted); got.Keepers != "" || s.Notice().Text != "" {
			t.Errorf("%+v: kept by %q, told %q", c, got.Keepers, s.Notice().Text)
		}
	}
	const once = "CopyQ may save what is copied in its history: it cannot be told not to"
	if got := copied(secrets.ClipCopied, false); got.Keepers != "CopyQ" || s.Notice().Text != once || s.Notice().Level != kernel.Warn {
		t.Errorf("kept by %q, told %+v", got.Keepers, s.Notice())
	}
	// It is told once; the copy names it each time.
	s.Notices.Dismiss()
	if got := copied(secrets.ClipCopied, false); got.Keepers != "CopyQ" || s.Notice().Text != "" {
		t.Errorf("kept by %q, told %q", got.Keepers, s.Notice().Text)
	}
	found("CopyQ", "Klipper")
	if got := copied(secrets.ClipCopied, false); got.Keepers != "CopyQ, Klipper" || s.Notice().Text == "" {
		t.Errorf("kept by %q, told %q", got.Keepers, s.Notice().Text)
	}
}

func TestAManagerThatStartsAfterTheCopyIsNamed(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.Screen.FindManagers = true })
	tick(s, time.Second)
	apply(s, secrets.ManagersFound{Meta: meta(time.Second)})
	listed(t, s, 2*time.Second, wanted("3ds_1", "111111", 2*time.Second))
	seq := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{})).Seq
	apply(s, secrets.ClipChanged{Seq: seq, At: at(3 * time.Second), State: secrets.ClipCopied, Until: at(30 * time.Second)})
	one[secrets.FindManagers](t, tick(s, 3*time.Second)) // At once, not a minute after the last time.
	apply(s, secrets.ManagersFound{Meta: meta(3 * time.Second), Names: []api.Text{"Klipper"}})
	if got := s.Secrets.Clip().Keepers; got != "Klipper" || !strings.HasPrefix(s.Notice().Text, "Klipper may save") {
		t.Errorf("kept by %q, told %q", got, s.Notice().Text)
	}
}

func TestManagersAreLookedForBesideTheCopies(t *testing.T) {
	s := newStore(func(c *settings.Config) { c.Screen.FindManagers = true })
	none[secrets.FindManagers](t, append(tick(s, 0), tick(s, 900*time.Millisecond)...)) // The first frames go first.
	one[secrets.FindManagers](t, tick(s, time.Second))
	none[secrets.FindManagers](t, tick(s, 2*time.Minute)) // One at a time.
	apply(s, secrets.ManagersFound{Meta: meta(2 * time.Minute)})
	one[secrets.FindManagers](t, append(tick(s, 2*time.Minute+time.Second), tick(s, 2*time.Minute+30*time.Second)...))
	none[secrets.FindManagers](t, tick(newStore(), 0))
}
