package e2e

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// runs are what was run of a person's own commands.
type runs struct {
	mu   sync.Mutex
	list []commands.Execute
	// say is what a command prints, and how it ends.
	say func(commands.Execute) (string, error)
}

func (r *runs) execute(x commands.Execute) (string, error) {
	r.mu.Lock()
	r.list = append(r.list, x)
	say := r.say
	r.mu.Unlock()
	if say == nil {
		return "", nil
	}
	return say(x)
}

func (r *runs) names() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, x := range r.list {
		names = append(names, x.Name)
	}
	return strings.Join(names, " ")
}

func (r *runs) last(t *testing.T) commands.Execute {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == 0 {
		t.Fatal("nothing was run")
	}
	return r.list[len(r.list)-1]
}

// owning are options with commands of a person's own: one on a card, one that
// only reads, one on a transaction.
func owning(t *testing.T, r *runs, o options) options {
	t.Helper()
	rows := append(keymap.Defaults(), keymap.UserCommand("ads", "Open the ad account", true, keymap.Card)...)
	rows = append(rows, keymap.UserCommand("look", "", false, keymap.Card)...)
	rows = append(rows, keymap.UserCommand("txn", "", true, keymap.Feed, keymap.Charge, keymap.Inspector)...)
	rows, faults := keymap.Remap(rows, []keymap.Line{{Name: "run-ads", Keys: []string{"alt+o"}}, {Name: "run-look", Keys: []string{"alt+m"}}, {Name: "run-txn", Keys: []string{"alt+t"}}})
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	o.change = func(c *ui.Config) { c.Keys = keymap.New(rows) }
	confirm := o.byHand
	o.store = func(c *settings.Config) {
		c.Profile = "demo"
		c.Commands = []settings.Command{
			{Name: "ads", Line: "open {label}", Confirm: confirm},
			{Name: "look", Line: "less", Reads: true},
			{Name: "txn", Line: "echo", Where: settings.OnTransaction},
		}
	}
	o.execute = r.execute
	return o
}

func TestACommandRunsByItsKeyAndFromTheList(t *testing.T) {
	t.Parallel()
	r := &runs{}
	story(t, owning(t, r, options{}), func(d *driver) {
		c := d.pick()
		d.press("alt+o")
		d.see("ads: done")
		x := r.last(t)
		if x.Vars.Card != api.CardID(c.id) || string(x.Vars.Label) != c.label || x.Vars.Profile != "demo" || len(x.Input) != 1 || x.Line != "open {label}" {
			t.Errorf("%+v", x)
		}
		r.say = func(commands.Execute) (string, error) { return "\x1b[2J\x1b]52;c;eA==\aread \u202eit", nil }
		d.press("ctrl+p")
		d.write("run-look")
		d.see("alt+m", "Run the command look (On a card, in any list)")
		d.press("enter")
		d.see("look: read it")
		r.say = func(commands.Execute) (string, error) {
			return "x", errors.New("exit status 3: \x1b[31mno such account")
		}
		d.wait(time.Second)
		d.press("alt+o")
		d.see("ads: exit status 3: no such account")
		if got := r.names(); got != "ads look ads" {
			t.Errorf("run: %s", got)
		}
		d.press("?", "/")
		d.write("ad account")
		d.see("alt+o", "Open the ad account")
	})
}

func TestACommandOnATransactionAndOnAllThatIsChosen(t *testing.T) {
	t.Parallel()
	r := &runs{}
	story(t, owning(t, r, options{}), func(d *driver) {
		d.press("space", "space", "alt+o")
		if x := r.last(t); len(x.Input) != 2 || x.Input[0].Card == x.Vars.Card {
			t.Errorf("%d cards are read, of %+v", len(x.Input), x.Vars)
		}
		d.wait(time.Second)
		d.press("3", "alt+t")
		d.see("txn: done")
		x := r.last(t)
		if x.Vars.Transaction == "" || x.Vars.Merchant == "" || len(x.Input) != 1 {
			t.Errorf("%+v", x)
		}
		first := x.Vars.Transaction
		d.press("enter")
		d.wait(time.Second)
		d.press("alt+t")
		if x := r.last(t); x.Vars.Transaction != first || r.names() != "ads txn txn" {
			t.Errorf("on its screen: %s %+v", r.names(), x)
		}
		d.wait(time.Second)
		d.press("alt+o") // On the card of the transaction, whatever is selected.
		if x := r.last(t); x.Name != "ads" || len(x.Input) != 1 || x.Input[0].Card != x.Vars.Card {
			t.Errorf("%+v", x)
		}
	})
}

func TestACommandThatMayWriteIsRefusedReadOnly(t *testing.T) {
	t.Parallel()
	r := &runs{}
	story(t, owning(t, r, options{readOnly: true}), func(d *driver) {
		d.press("alt+o")
		d.see("read-only: ads may write; reads = true says that it does not")
		d.press("ctrl+p")
		d.write("ad account")
		d.see("read-only: ads may write")
		d.wait(time.Second)
		d.press("enter")
		d.see("not now: read-only: ads may write")
		d.press("esc", "alt+m")
		d.see("look: done")
		if got := r.names(); got != "look" {
			t.Errorf("run: %s", got)
		}
	})
}

func TestACommandNeedsARowAndAnUnlockedScreen(t *testing.T) {
	t.Parallel()
	r := &runs{}
	story(t, owning(t, r, options{}), func(d *driver) {
		d.press("/")
		d.write("nosuchcard")
		d.press("enter", "alt+o")
		d.see("no card is selected")
		d.press("esc", "4", "alt+o")
		d.see("no card here")
		d.press("1", "L", "alt+o")
		d.wait(time.Second)
		d.press("enter")
		if got := r.names(); got != "" {
			t.Errorf("run: %s", got)
		}
	})
}

// TestACommandThatAsksIsCancelledFirst answers the question in each way.
func TestACommandThatAsksIsCancelledFirst(t *testing.T) {
	t.Parallel()
	r := &runs{}
	story(t, owning(t, r, options{byHand: true}), func(d *driver) {
		c := d.pick()
		d.press("alt+o")
		d.see("Run ads", c.name, "open {label}", "▸Cancel")
		d.wait(time.Second)
		d.press("enter")
		d.seeNot("Run it")
		if got := r.names(); got != "" {
			t.Errorf("run: %s", got)
		}
		d.wait(time.Second)
		d.press("alt+o")
		d.wait(time.Second)
		d.press("tab", "enter")
		d.see("ads: done")
		d.wait(time.Second)
		d.press("alt+o")
		d.wait(time.Second)
		d.press("alt+o")
		d.seeNot("Run it")
		if got := r.names(); got != "ads ads" {
			t.Errorf("run: %s", got)
		}
	})
}

// TestACommandRunsOnceAtATime presses its key while it runs, holds it, and has
// it in a paste.
func TestACommandRunsOnceAtATime(t *testing.T) {
	t.Parallel()
	r := &runs{say: func(commands.Execute) (string, error) {
		time.Sleep(4 * time.Second) //nolint:forbidigo // virtual time in a bubble
		return "", nil
	}}
	story(t, owning(t, r, options{}), func(d *driver) {
		d.press("alt+o")
		d.wait(time.Second)
		d.see("running ads")
		d.press("alt+o")
		d.see("ads is still running")
		d.press("q")
		d.wait(200 * time.Millisecond)
		d.see("the command ads is still running and will be killed")
		d.press("esc")
		d.wait(5 * time.Second)
		d.see("ads: done")
		d.seeNot("running ads")
		d.press("alt+o", "alt+o")
		d.see("a held key or a double press counts once")
		d.wait(6 * time.Second)
		d.send("xx\x1bo\x1bm\x1bo")
		d.wait(6 * time.Second)
		if got := r.names(); got != "ads ads" {
			t.Errorf("run: %s", got)
		}
	})
}

func TestAReloadBringsCommands(t *testing.T) {
	t.Parallel()
	r := &runs{}
	story(t, owning(t, r, options{}), func(d *driver) {
		rows, _ := keymap.Remap(append(keymap.Defaults(), keymap.UserCommand("new", "Do the new thing", true, keymap.Global)...), []keymap.Line{{Name: "run-new", Keys: []string{"alt+t"}}})
		d.reload(ui.ReloadMsg{Settings: ui.Settings{Keys: keymap.New(rows), Reloadable: settings.Reloadable{Commands: []settings.Command{{Name: "new", Line: "new", Where: settings.Anywhere}}}}})
		d.press("alt+o", "4", "alt+t")
		d.see("new: done")
		if got := r.names(); got != "new" {
			t.Errorf("run: %s", got)
		}
	})
}
