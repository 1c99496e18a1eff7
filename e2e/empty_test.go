package e2e

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
)

// said is the screen as one line of words, so that a text may be wrapped.
func (d *driver) said() string {
	words := strings.FieldsFunc(d.screen(), func(r rune) bool { return r == ' ' || r == '\n' || r == '│' })
	return strings.Join(words, " ")
}

// TestAnEmptyAccountSaysWhatToDoFirst: with the keys in force, whole at every
// size.
func TestAnEmptyAccountSaysWhatToDoFirst(t *testing.T) {
	t.Parallel()
	moved := func(c *ui.Config) {
		rows, faults := keymap.Remap(keymap.Defaults(), []keymap.Line{{Name: "deposits", Keys: []string{"ctrl+d"}}, {Name: "issue", Keys: []string{"alt+n"}}})
		if len(faults) > 0 {
			t.Errorf("%+v", faults)
		}
		c.Keys = keymap.New(rows)
	}
	for name, c := range map[string]struct {
		options
		cards, wallet string
	}{
		"nothing":     {options{}, "no cards yet: d shows where to deposit, then n issues a card", "no deposits yet: d shows the addresses"},
		"other keys":  {options{change: moved}, "no cards yet: ctrl+d shows where to deposit, then alt+n issues a card", "no deposits yet: ctrl+d shows the addresses"},
		"a wallet":    {options{wallet: "50"}, "no cards yet: n issues a card", ""},
		"read-only":   {options{readOnly: true}, "no cards yet: d shows where to deposit │", "no deposits yet: d shows the addresses"},
		"money, only": {options{wallet: "50", readOnly: true}, "no cards yet │", ""},
	} {
		for _, size := range [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}} {
			o := c.options
			o.cards, o.w, o.h = -1, size[0], size[1]
			if o.wallet == "" {
				o.wallet = "0"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				story(t, o, func(d *driver) {
					want, closed := strings.CutSuffix(c.cards, " │")
					if said := d.said(); !strings.Contains(said, want) || closed && strings.Contains(said, want+":") || closed && strings.Contains(said, "issues a card") {
						d.t.Errorf("%v: the cards lack %q:\n%s", size, want, d.screen())
					}
					d.press("4")
					if !strings.Contains(d.said(), c.wallet) {
						d.t.Errorf("%v: the wallet lacks %q:\n%s", size, c.wallet, d.screen())
					}
				})
			})
		}
	}
}
