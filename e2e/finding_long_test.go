//go:build long

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/theme"
)

func TestATypedFilterFindsCards(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("/")
		d.write("bal<50 status=frozen")
		d.see("1 Cards  / bal<50 status=frozen▏")
		if row := d.cursor(); !strings.Contains(row, "❄") {
			t.Errorf("the cursor is on %s", row)
		}
		before := d.line("1 Cards")
		// A wrong term says where and why; what was found stays.
		d.write(" spent>2x")
		d.see("frozen spent>2x▏", "spent: USD, as in spent<20") // It is still being typed.
		d.press("enter")
		d.see("spent>2x▏", "2x is no amount, as in spent<20")
		if row := d.cursor(); !strings.Contains(row, "❄") {
			t.Errorf("the cursor is on %s", row)
		}
		d.press("enter", "backspace")
		d.seeNot("is no amount")
		for range " spent>2" {
			d.press("backspace")
		}
		if after := d.line("1 Cards"); after != before {
			t.Errorf("%s\nbefore %s", after, before)
		}
		// What a term takes is said while it is typed.
		d.write(" last>")
		d.see("last: a time such as 30m, 2h or 7d")
		d.press("esc")
		d.see("1 Cards  50")
	})
}

func TestATypedFilterFindsTransactions(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("3", "/")
		d.write("type=declined amt>50")
		d.press("enter")
		d.see("✗ declined")
		d.seeNot("✓ settled", "◌ hold")
		d.press("/")
		d.write(" colour=red")
		d.see("no field colour")
		d.press("esc")
		d.see("✓ settled")
	})
}

func TestAnExpressionFindsInEveryList(t *testing.T) {
	t.Parallel()
	story(t, options{w: 120, h: 40}, func(d *driver) {
		d.press("3", "/")
		d.write("/snap.*inc|^google/ type~/sett/")
		d.press("enter")
		d.see("✓ settled", "Google")
		d.seeNot("✗ declined", "◌ hold", "✓ settled   Meta")
		d.press("esc", "1", "/")
		d.write("/[a-z]+/[a-z]+/0[1-3]$")
		d.see("/01")
		d.seeNot("/04")
		d.press("esc", "/")
		d.write("fb/spring/0")
		d.press("enter")
		d.see("2 of 50")
		d.press("esc", "/")
		d.write("label~/(/")
		d.see("a regular expression: . any letter")
		d.press("enter")
		d.see("/(/ is no expression: a ) is missing")
		d.press("esc", "b", "/")
		d.write("/^[0-9]+ visa|(/")
		d.see("a regular expression: . any letter")
		d.press("backspace", "backspace", "backspace", "enter")
		d.see("/ /^[0-9]+ visa")
		d.seeNot("no BIN matches")
	})
}

func TestAVeryWideScreenShowsMoreColumns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exported := func(d *driver, n int) (head string) {
		d.t.Helper()
		d.press("E")
		d.wait(time.Second)
		d.press("1")
		d.wait(time.Second)
		paths, err := filepath.Glob(filepath.Join(dir, "cardtop-cards-*.csv"))
		if err != nil || len(paths) != n {
			d.t.Fatalf("%v, %v", paths, err)
		}
		data, err := os.ReadFile(paths[n-1])
		must(d.t, err)
		head, _, _ = strings.Cut(string(data), "\n")
		return head
	}
	story(t, options{w: 160, h: 45, exports: dir}, func(d *driver) {
		d.seeNot(" state ", "network", "category")
		narrow := exported(d, 1)
		d.resize(460, 100)
		d.fits(460, 100)
		cards := d.line("label▲")
		for _, title := range []string{"label▲", "card", "balance", "spent 24h", "last", "limit", "state", "network", "BIN", "age", "id"} {
			before, rest, ok := strings.Cut(cards, title)
			if !ok || len(before) > 70 {
				t.Errorf("%q is missing or far in %q", title, cards)
			}
			cards = rest
		}
		d.see("category", "mcc")
		if wide := exported(d, 2); wide != narrow+",limit,state,network,bin,age" || !strings.HasPrefix(narrow, "id,") {
			t.Errorf("exports %s, and %s on a narrow screen", wide, narrow)
		}
		// Who chose the columns has these.
		d.press(",")
		d.see("·  network", "· if there is room")
		d.press("space")
		d.wait(time.Second)
		d.seeNot("·  network", "· if there is room")
		d.press("enter")
		d.seeNot("network")
	})
}

func TestWhatIsWrongInAFilterIsReadWhole(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {80, 24}, {40, 12}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			d.press("/")
			d.write("lable=fb")
			d.press("enter")
			said := func(want string) {
				if !strings.Contains(strings.Join(strings.Fields(d.screen()), " "), want) {
					t.Errorf("%d x %d:\n%s", size[0], size[1], d.screen())
				}
			}
			said("no field lable (did you mean label?), as in label~us")
			d.see("enter done", "/ lable=fb▏")
			d.press("esc")
			d.seeNot("lable")
			d.press("/")
			d.write("colour=red")
			d.press("enter")
			said("no field colour: bal spent status label campaign card bin net last age expires left burn decl7 idle (bal<20)")
		})
	}
}

func TestCardsAreSortedEitherWay(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.see("label▲")
		d.press("S")
		d.see("label▼")
		d.press("s", "s")
		d.see("balance▼")
		d.press("S")
		d.see("balance▲")
	})
}

func TestTheOrderIsThereAtTheNextStart(t *testing.T) {
	t.Parallel()
	o := options{dir: t.TempDir()}
	story(t, o, func(d *driver) {
		d.press("s", "s", "S")
		d.see("balance▲")
	})
	story(t, o, func(d *driver) {
		d.see("balance▲")
		d.press("S")
		d.see("balance▼")
	})
}

func TestThePaletteDoesWhatAKeyDoes(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("ctrl+p")
		d.see("▸Find", "type to find")
		d.write("freeze")
		d.see(helpOf(keymap.Freeze))
		d.press("enter")
		d.see(c.name + " is frozen")
		d.hasStatus(c.id, "frozen")
		// One of another pane goes there first.
		d.press(":")
		d.write("pause")
		d.press("enter")
		d.see("▸3 Transactions  paused")
		// What cannot be done says why and does nothing.
		d.press("4", ":")
		d.write("fund")
		d.see("no card here")
		d.press("enter")
		d.see("not now: no card here", "▸Find")
		d.press("esc")
		d.seeNot("▸Find")
		// Money is asked for as by its key.
		d.press("1", ":")
		d.write("fund the card")
		d.press("enter")
		d.see("Fund " + c.name)
	})
}

// keepTab types a filter and keeps it under a name.
func (d *driver) keepTab(filter, name string) {
	d.t.Helper()
	d.press("esc", "/")
	d.write(filter)
	d.press("enter", "t")
	d.see("Save filter as tab", filter)
	d.write(name)
	d.press("enter")
}

func TestTabsKeepFiltersAcrossStarts(t *testing.T) {
	t.Parallel()
	o := options{dir: t.TempDir()}
	story(t, o, func(d *driver) {
		d.press("t")
		d.see("no filter to save")
		d.press("]")
		d.see("no tabs yet")
		d.keepTab("status=frozen", "frozen")
		d.see(" all 50  frozen 6 ", "tab frozen saved")
		d.keepTab("bal<20 status=active", "low")
		d.see(" all 50  frozen 6  low 2 ")
		// A name that is there is replaced.
		d.keepTab("bal<5", "low")
		d.see("frozen 6  low ")
		d.press("3")
		d.keepTab("type=declined", "no")
		d.see("no ")
	})
	story(t, o, func(d *driver) {
		d.see(" all 50  frozen 6  low ", " no ")
		d.press("]")
		d.see("1 Cards  / status=frozen  6 of 50")
		d.press("]")
		d.see("1 Cards  / bal<5")
		d.press("]")
		d.see("1 Cards  50")
		d.press("[", "[")
		d.see("1 Cards  / status=frozen")
		// A card that changes is counted.
		d.press("f")
		d.wait(2 * time.Second)
		d.see("frozen 5")
		d.press("T")
		d.see("tab frozen deleted")
		d.seeNot("frozen 5  low")
		d.press("T")
		d.see("no tab is chosen here")
	})
	story(t, o, func(d *driver) {
		d.see(" all 50  low ")
		d.seeNot("all 50  frozen")
	})
}

func TestColumnsAreChosenAndThereAtTheNextStart(t *testing.T) {
	t.Parallel()
	o := options{dir: t.TempDir()}
	story(t, o, func(d *driver) {
		d.see("label▲ ", "spent 24h")
		d.press(",")
		d.see("Columns", "settled in 24 h, USD")
		// The balance goes before the card, what was spent leaves, the BIN comes.
		d.press("j", "j", "j", "K")
		d.press("j", "j", "space")
		if head := d.line("label▲"); strings.Contains(head, "spent 24h") {
			t.Errorf("the columns are %s", head)
		}
		d.press("j", "j", "j", "j", "j", "space", "esc")
		d.see("BIN")
		if head := d.line("label▲"); strings.Index(head, "balance") > strings.Index(head, "card") || !strings.Contains(head, "BIN") {
			t.Errorf("the columns are %s", head)
		}
		d.press("3", ",", "j", "j", "space", "esc")
		d.seeNot("Meta Platforms  ")
	})
	story(t, o, func(d *driver) {
		if head := d.line("label▲"); strings.Index(head, "balance") > strings.Index(head, "card") || !strings.Contains(head, "BIN") || strings.Contains(head, "spent") {
			t.Errorf("the columns are %s", head)
		}
		d.press(",", "r", "esc")
		d.see("spent 24h")
		// The keys of a column that is not shown sort nothing by it.
		d.press(",", "j", "-", "-", "-", "-", "-", "esc")
		d.see("lab…▲")
	})
}

func TestWhatIsShownIsExported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	read := func(pattern string) string {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%v, %v", paths, err)
		}
		data, err := os.ReadFile(paths[0])
		must(t, err)
		return string(data)
	}
	story(t, options{exports: dir}, func(d *driver) {
		d.press("/")
		d.write("status=frozen")
		d.press("enter", "s", "E")
		d.see("Export 6 cards")
		d.press("1")
		d.see("written to "+dir, ": 6 cards")
		csv := strings.Split(read("cardtop-cards-*.csv"), "\n")
		if csv[0] != "id,status,label,card,balance,spent,last" || len(csv) != 8 || !strings.HasPrefix(csv[1], "card_") || !strings.Contains(csv[1], ",frozen,") {
			t.Errorf("wrote %q", csv)
		}
		// A selection is exported alone.
		d.press("space", "space", "E")
		d.see("Export 2 cards")
		d.press("4")
		if text := read("cardtop-cards-*.jsonl"); strings.Count(text, "\n") != 2 || !strings.HasPrefix(text, `{"id":"card_`) || !strings.Contains(text, `","status":"frozen","label":"`) {
			t.Errorf("wrote %q", text)
		}
		d.press("E", "5")
		if text := d.board.Text(); !strings.HasPrefix(text, "id,status,label,card") || strings.Count(text, "\n") != 3 {
			t.Errorf("copied %q", text)
		}
		d.press("3", "E", "7")
		d.see("the clipboard takes 32: filter, or write a file")
		d.press("/")
		d.write("type=declined zzz")
		d.press("enter", "E")
		d.see("nothing to export")
	})
}

func TestGroupsFoldAndAddUp(t *testing.T) {
	t.Parallel()
	o := options{dir: t.TempDir()}
	story(t, o, func(d *driver) {
		d.press("z")
		d.see("Group by", "✓ 1 nothing", "▸  2 campaign")
		d.press("z", "enter")
		d.see("by 1st label part", "-  fb  15")
		if row := d.cursor(); !strings.Contains(row, "fb  15") {
			t.Fatalf("the cursor is on %s", row)
		}
		d.press("enter")
		d.see("+  fb  15")
		d.seeNot("fb/geo-de/01 ")
		// A key that acts on one card has none here.
		d.press("r")
		d.see("Group ")
		// The whole group is selected, also when it is folded.
		d.press("space")
		d.see("15 selected")
		d.press("esc", "Z")
		d.see("+  gg")
		d.press("Z")
		d.see("-  fb  15", "fb/geo-de/01 ")
		d.press("z", "k", "enter")
		d.see("by 1st label part")
		d.press("z", "2")
		d.see("by campaign", "-  fb/geo-de  2")
		d.press("z", "up", "up", "down", "down", "down", "esc")
		d.see("by campaign")
		d.press("z", "up", "5", "Z")
		d.see("by status", "active  41", "frozen  6", "terminated  3")
	})
	story(t, o, func(d *driver) {
		d.see("by status", "-  active  41")
		d.press("z", "enter")
		d.seeNot("by status")
	})
}

// TestTheFeedIsSortedByAnyColumn sorts, and looks again after a restart.
func TestTheFeedIsSortedByAnyColumn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{w: 80, h: 24, dir: dir}, func(d *driver) {
		d.press("3", "s")
		d.wait(time.Second)
		d.see("3 Transactions", "by what")
		if title := d.line("▸3 Transactions"); strings.Contains(title, "live") || strings.Contains(title, "paused") {
			t.Errorf("sorted otherwise: %s", title)
		}
		d.press("s", "s")
		d.wait(time.Second)
		d.see("by amount, highest first")
		if title := d.line("▸3 Transactions"); strings.Contains(title, "live") || strings.Contains(title, "paused") {
			t.Errorf("sorted otherwise: %s", title)
		}
		most := d.cursor()
		d.press("S")
		d.wait(time.Second)
		d.see("by amount, lowest first")
		d.press("g")
		if least := d.cursor(); least == most {
			t.Errorf("the same is on top: %s", least)
		}
	})
	story(t, options{w: 80, h: 24, dir: dir}, func(d *driver) {
		d.press("3")
		d.see("by amount, lowest first")
		d.press("S")
		d.wait(time.Second)
		for range 3 {
			d.press("s")
			d.wait(time.Second)
		}
		d.seeNot("by amount")
	})
}

// TestTheThemeIsChosenFromTheCommands, and goes round with its key.
func TestTheThemeIsChosenFromTheCommands(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("ctrl+p")
		d.write("theme")
		d.press("enter")
		d.see("theme auto-colorblind, ctrl+t next", `to keep it: theme = "auto-colorblind"`)
		for _, next := range append(theme.Choices()[2:], theme.Auto) {
			d.press("ctrl+t")
			d.see("theme " + next + ", ctrl+t next")
		}
	})
}
