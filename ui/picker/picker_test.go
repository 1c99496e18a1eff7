package picker

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/tty"
	"github.com/cardtop/cardtop/ui/widget"
)

// clock is the time of a test.
type clock struct{ now time.Time }

func (c *clock) at() time.Time { return c.now }

// opened is a picker of three accounts on a terminal of a size.
func opened(t *testing.T, w, h int) (*Picker, *clock) {
	t.Helper()
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	p, err := New(Config{
		Keys: keymap.New(keymap.Defaults()), Theme: "dark", Now: c.at,
		Accounts: []dialog.Account{
			{ID: "a", Name: "agency", Where: "api.example.com"}, {ID: "b", Name: "広告 🦊", Where: "api.example.org"}, {ID: "demo", Name: "demo", Where: "the embedded sandbox", Sandbox: true},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return p, c
}

// press sends a key and runs what it leads to, until the program ends.
func press(p *Picker, code rune, text string) (ended bool) {
	_, cmd := p.Update(tea.KeyPressMsg{Code: code, Text: text})
	for cmd != nil {
		msg := cmd()
		if _, quit := msg.(tea.QuitMsg); quit {
			return true
		}
		_, cmd = p.Update(msg)
	}
	return false
}

// TestTheColoursAreKnownBeforeTheFirstFrame holds that nothing is drawn in colours that
// the terminal does not have.
func TestTheColoursAreKnownBeforeTheFirstFrame(t *testing.T) {
	t.Parallel()
	p, _ := opened(t, 80, 24)
	on := tty.Device{In: strings.NewReader(""), Out: io.Discard, Env: []string{"TTY_FORCE=1", "TERM=xterm-256color"}}
	if _, err := NewProgram(p, on); err != nil {
		t.Fatal(err)
	}
	if p.profile != colorprofile.ANSI256 {
		t.Errorf("the colours are %v", p.profile)
	}
}

// TestEveryLineFits draws at the sizes that terminals have, and at few cells.
func TestEveryLineFits(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {80, 24}, {40, 12}, {20, 5}, {1, 1}} {
		p, _ := opened(t, size[0], size[1])
		lines := p.draw()
		if len(lines) > size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, l := range lines {
			if w := widget.Width(widget.Strip(l)); w > size[0] {
				t.Errorf("%v: %d cells in %q", size, w, widget.Strip(l))
			}
		}
	}
	p, _ := opened(t, 80, 24)
	if drawn := widget.Strip(strings.Join(p.draw(), "\n")); !strings.Contains(drawn, "agency") || !strings.Contains(drawn, "広告") {
		t.Errorf("lists not the accounts:\n%s", drawn)
	}
}

// newProfiles stores accounts nowhere; key is what it was given last.
type newProfiles struct{ key string }

func (p *newProfiles) Try(_ context.Context, d accounts.Draft) (accounts.Found, error) {
	if d.Key.IsZero() {
		panic("4111111111111111")
	}
	return accounts.Found{Mode: "LIVE"}, nil
}

func (p *newProfiles) Save(_ context.Context, d accounts.Draft) (dialog.Account, error) {
	p.key = d.Key.Expose()
	return dialog.Account{ID: "profile " + d.Name, Name: d.Name}, nil
}

func (*newProfiles) Remove(context.Context, *lang.Words, string) (string, error) { return "", nil }
func (*newProfiles) Keyring(context.Context) error                               { return nil }

func (*newProfiles) Files(string) string { return "" }

// typed types a text, slowly.
func (c *clock) typed(p *Picker, text string) {
	for _, r := range text {
		c.now = c.now.Add(time.Second)
		press(p, r, string(r))
	}
}

// TestAnAccountIsAddedFromTheListOfTheStart and is the one that is opened.
func TestAnAccountIsAddedFromTheListOfTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := opened(t, 80, 24)
		stored := &newProfiles{}
		p.cfg.Profiles = stored
		p.dialogs.Clear()
		p.pushList()
		screen := func() string { return widget.Strip(strings.Join(p.draw(), "\n")) }
		if text := screen(); !strings.Contains(text, "n add") || strings.Contains(text, "x remove") || strings.Contains(text, "@ all") {
			t.Fatalf("\n%s", text)
		}
		c.typed(p, "n")
		if text := screen(); !strings.Contains(text, "Add an account") {
			t.Fatalf("\n%s", text)
		}
		c.typed(p, "quick")
		press(p, tea.KeyTab, "")
		p.Update(tea.PasteMsg{Content: "https://api.example.com/v1"})
		press(p, tea.KeyTab, "")
		p.Update(tea.PasteMsg{Content: "sk_live_typed"})
		for _, says := range []string{"LIVE  the key works", "LIVE"} {
			c.now = c.now.Add(time.Second)
			if ended := press(p, tea.KeyEnter, ""); ended != (stored.key != "") {
				t.Fatalf("ended %v", ended)
			}
			if text := screen(); !strings.Contains(text, says) || strings.Contains(text, "sk_live_typed") {
				t.Fatalf("\n%s", text)
			}
		}
		if p.Next() == nil || p.Next().Name != "quick" || stored.key != "sk_live_typed" {
			t.Errorf("it opens %+v", p.Next())
		}
	})
}

// TestAFormThatIsLeftLeadsBackToTheList and what was typed there opened nothing.
func TestAFormThatIsLeftLeadsBackToTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := opened(t, 80, 24)
		p.cfg.Profiles = &newProfiles{}
		p.dialogs.Clear()
		p.pushList()
		c.typed(p, "nqj")
		if ended := press(p, tea.KeyEscape, ""); ended || !strings.Contains(strings.Join(p.draw(), "\n"), "agency") {
			t.Errorf("ended %v:\n%s", ended, strings.Join(p.draw(), "\n"))
		}
		if ended := press(p, tea.KeyEscape, ""); !ended || p.Next() != nil {
			t.Errorf("ended %v with %+v", ended, p.Next())
		}
		// A fault of the test of an account ends the program without its value.
		c.typed(p, "nx")
		press(p, tea.KeyTab, "")
		p.Update(tea.PasteMsg{Content: "https://api.example.com/v1"})
		c.now = c.now.Add(time.Second)
		if ended := press(p, tea.KeyEnter, ""); !ended || p.Err() == nil || strings.Contains(p.Err().Error(), "4111") {
			t.Errorf("ended %v: %v", ended, p.Err())
		}
	})
}
