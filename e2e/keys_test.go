package e2e

import (
	"errors"
	"image/color"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// remapped gives a person's own keys.
func remapped(t *testing.T, lines ...keymap.Line) *keymap.Map {
	t.Helper()
	rows, faults := keymap.Remap(keymap.Defaults(), lines)
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	return keymap.New(rows)
}

func TestFooterAndHelpFollowAPersonsOwnKeys(t *testing.T) {
	t.Parallel()
	own := func(c *ui.Config) {
		c.Keys = remapped(t, keymap.Line{Name: "freeze", Keys: []string{"!"}}, keymap.Line{Name: "reveal"}, keymap.Line{Name: "dry-run", Keys: []string{"ctrl+d"}})
	}
	story(t, options{change: own}, func(d *driver) {
		c := d.pick()
		if foot := d.line("? help"); !strings.Contains(foot, "! freeze") || strings.Contains(foot, "reveal") {
			t.Errorf("footer: %s", foot)
		}
		d.press("f", "r")
		d.hasStatus(c.id, "active")
		d.press("!")
		d.see(c.name + " is frozen")
		d.press("?")
		if row := strings.Join(strings.Fields(d.line(helpOf(keymap.Freeze))), " "); !strings.Contains(row, "│ ! "+helpOf(keymap.Freeze)) {
			t.Errorf("help: %s", row)
		}
		d.seeNot(helpOf(keymap.Reveal))
		d.press("G")
		d.see("not sent: ctrl+d ends")
		d.press("esc")
		d.seeNot(helpOf(keymap.Freeze))
	})
}

// reload tells the program that its configuration has changed.
func (d *driver) reload(m ui.ReloadMsg) {
	d.t.Helper()
	d.prog.Send(m)
	d.wait(500 * time.Millisecond)
}

func TestAChangedConfigurationIsInForceAtOnce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("?")
		d.see(helpOf(keymap.Freeze))
		d.reload(ui.ReloadMsg{Settings: ui.Settings{
			Keys:       remapped(t, keymap.Line{Name: "freeze", Keys: []string{"!"}}),
			Reloadable: settings.Reloadable{Theme: "dark", Presets: []api.USD{7 * api.Dollar}, Guard: guard.Guard{MaxOperation: 20 * api.Dollar}, Reveal: 2 * time.Second},
		}, Restart: []string{"log_level", "profiles"}})
		d.see("restart to apply log_level, profiles")
		if row := strings.Join(strings.Fields(d.line(helpOf(keymap.Freeze))), " "); !strings.Contains(row, "│ ! "+helpOf(keymap.Freeze)) {
			t.Errorf("help: %s", row)
		}
		d.press("esc", "+")
		d.see("a $7")
		d.press("5", "0", "enter")
		d.see("guardrail")
		d.press("esc")
		d.wait(time.Second)
		d.press("f")
		d.hasStatus(c.id, "active")
		d.press("r")
		d.wait(1200 * time.Millisecond)
		d.see("hides in")
		d.wait(time.Second)
		d.seeNot("hides in")
	})
}

func TestAWrongConfigurationLeavesTheOldInForce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.reload(ui.ReloadMsg{Err: errors.New(`config.toml:3:1: unknown setting "colour"`)})
		d.see(`using the last valid settings: config.toml:3:1: unknown setting "colour"`)
		d.reload(ui.ReloadMsg{Err: errors.New("config.toml: 2 mistakes, the first at line 3"), Mistakes: []string{"config.toml:3:1: one", "config.toml:4:1: two"}})
		d.see("using the last valid settings, C shows all: config.toml: 2 mistakes, the first at line 3")
		d.press("C")
		d.see("Configuration: 2 errors", "config.toml:3:1: one", "config.toml:4:1: two")
		d.press("P") // What is quoted of it may be the pattern of a label.
		d.see("this dialog shows what is hidden")
		d.seeNot("config.toml:4:1: two")
		d.press("esc")
		d.reload(ui.ReloadMsg{Err: errors.New(`config.toml:5:1: alerts.low.secret-label`)})
		d.see("using the last valid settings")
		d.seeNot("secret-label")
		d.press("P")
		d.reload(ui.ReloadMsg{Settings: ui.Settings{Keys: remapped(t, keymap.Line{Name: "freeze"}), Reloadable: settings.Reloadable{Theme: "mauve"}}})
		d.see(`using the last valid settings: find theme "mauve"`)
		d.prog.Send(tea.BackgroundColorMsg{Color: color.White}) // Styles are made anew.
		d.press("f")
		d.see(c.name + " is frozen")
	})
}

func TestNewsThatIsCutShowsIt(t *testing.T) {
	t.Parallel()
	story(t, options{w: 40, h: 12}, func(d *driver) {
		d.reload(ui.ReloadMsg{Err: errors.New(strings.Repeat("a word ", 40) + "the end")})
		d.wait(time.Second)
		lines := strings.Split(strings.TrimRight(d.screen(), "\n "), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); !strings.HasSuffix(last, "…") {
			t.Errorf("the last line is %q\n%s", last, d.screen())
		}
	})
}

// helpOf is what the help says of an action, from the key table.
func helpOf(a keymap.Action) string {
	for _, b := range keymap.Defaults() {
		if b.Action == a {
			return b.Help
		}
	}
	return "no action " + string(a)
}
