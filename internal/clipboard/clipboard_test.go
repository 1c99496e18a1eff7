package clipboard

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStatesHaveWords(t *testing.T) {
	seen := map[string]State{}
	for s := Idle; s <= NoTool; s++ {
		if other, ok := seen[s.String()]; ok {
			t.Errorf("%d and %d say %q", s, other, s)
		}
		seen[s.String()] = s
	}
	for _, s := range []State{Sent, Blanked} {
		if strings.Contains(s.String(), "copied") || strings.Contains(s.String(), "cleared") {
			t.Errorf("%q claims what cannot be known", s)
		}
	}
	for s, want := range map[State]bool{Copied: false, Sent: false, CannotClear: false, Cleared: true, Replaced: true, NoTool: true} {
		if s.Final() != want {
			t.Errorf("%v final: %v", s, s.Final())
		}
	}
}

func TestItemsAreChecked(t *testing.T) {
	for name, it := range map[string]Item{
		"empty":    {TTL: time.Second},
		"too long": {Secret: make([]byte, MaxBytes+1), TTL: time.Second},
		"expired":  {Secret: []byte("1"), TTL: 0},
		"for ever": {Secret: []byte("1"), TTL: MaxTTL + 1},
	} {
		if it.check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := (Item{Secret: make([]byte, MaxBytes), TTL: MaxTTL}).check(); err != nil {
		t.Error(err)
	}
}

func TestOnlyAllowedVariablesPass(t *testing.T) {
	env := environ(func(name string) string {
		return map[string]string{"PATH": "/bin", "DISPLAY": ":0", "CARDTOP_API_KEY": "sk", "LD_PRELOAD": "x"}[name]
	})
	if !slices.Equal(env, []string{"CARDTOP_GUARD=1", "PATH=/bin", "DISPLAY=:0"}) {
		t.Errorf("environment %q", env)
	}
	if environ(func(string) string { return "" }) == nil {
		t.Error("no variables would mean all of them")
	}
}

// TestAGuardStartsNoGuard keeps a program that does not know the guard's
// command from running itself for ever.
func TestAGuardStartsNoGuard(t *testing.T) {
	t.Setenv(inside, "1")
	if _, err := Open(t.Context(), Config{Executable: "/nowhere", Env: os.Getenv, Now: time.Now}); err == nil || !strings.Contains(err.Error(), "starts no guard") { //nolint:forbidigo // never reached
		t.Errorf("got %v", err)
	}
}

func TestFullMailboxKeepsTheNewest(t *testing.T) {
	m := newMailbox()
	for i := range uint64(mailboxSize + 5) {
		m.put(Report{ID: i})
	}
	if first := <-m.ch; first.ID != 5 {
		t.Errorf("the oldest is %d", first.ID)
	}
}

func TestInfoIsALine(t *testing.T) {
	for want, i := range map[string]Info{
		"none: nothing is copied; install xclip": {Mode: "none", Promise: "nothing is copied", Warnings: []string{"install xclip"}},
		"owner (xclip): cleared on time":         {Mode: "owner", Tool: "xclip", Promise: "cleared on time"},
	} {
		if got := i.String(); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestOff(t *testing.T) {
	why := errors.New("no guard")
	o := NewOff(why)
	r, err := o.Copy(t.Context(), Item{Secret: []byte("1"), TTL: time.Second})
	if r.State != NoTool || !errors.Is(err, why) || !errors.Is(err, ErrNoTool) {
		t.Errorf("report %+v, %v", r, err)
	}
	if o.Clear(t.Context()) != nil || o.HoldScreen(t.Context(), true) != nil || o.Close(true) != nil || o.Info().Mode != "none" || o.Reports() == nil {
		t.Error("it does not keep quiet")
	}
}
