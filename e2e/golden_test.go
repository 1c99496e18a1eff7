package e2e

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cardtop/cardtop/internal/goldentest"
)

var update = flag.Bool("update", false, "write the golden screens anew")

func TestMain(m *testing.M) {
	flag.Parse()
	time.Local = time.UTC
	// Stories are short and leave a whole world behind: to collect it less often
	// costs memory that is there, and saves a tenth of the time.
	debug.SetGCPercent(400)
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked { // Those that wait for the built program leave the processors to the others.
		_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))) // There is this flag.
	}
	code := m.Run()
	if err := os.RemoveAll(binaries()); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// binaries is where programs are built until the tests are over.
func binaries() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("cardtop-e2e-%d", os.Getpid()))
}

// requestIDs are the sandbox's, by chance.
var requestIDs = regexp.MustCompile("req_[0-9a-f]+")

// golden compares the screen with a file, and its styles with another.
func (d *driver) golden(name string) {
	d.t.Helper()
	defer d.goldenStyles(name)
	path := filepath.Join("testdata", name+".txt")
	got := requestIDs.ReplaceAllStringFunc(d.screen(), func(id string) string {
		return "req_" + strings.Repeat("0", len(id)-len("req_"))
	}) + "\n"
	if *update {
		must(d.t, os.WriteFile(path, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	must(d.t, err)
	if got != string(want) {
		d.t.Errorf("%s differs (run make golden after looking at it):\n%s", name, goldentest.Diff(string(want), got))
	}
}

// fits checks that no line is wider than the terminal.
func (d *driver) fits(w, h int) {
	d.t.Helper()
	lines := strings.Split(d.screen(), "\n")
	if len(lines) > h {
		d.t.Errorf("%d lines on a screen of %d", len(lines), h)
	}
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n > w {
			d.t.Errorf("a line of %d on a screen of %d: %s", n, w, l)
		}
	}
}

// drawn holds that the screen is as in its goldens, which have the size behind the name.
func (d *driver) drawn(name string) {
	d.t.Helper()
	w, h, _ := d.term.small()
	d.fits(w, h)
	d.golden(fmt.Sprintf("%s-%dx%d", name, w, h))
}

// sized is a story of a size with nothing special.
func sized(w, h int) options { return options{w: w, h: h} }

// atEachSize tells a story on a screen of each size.
func atEachSize(t *testing.T, of func(w, h int) options, tell func(d *driver)) {
	t.Helper()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			story(t, of(size[0], size[1]), tell)
		})
	}
}

// screensOf holds that screens are as in their goldens at each size.
func screensOf(t *testing.T, of func(w, h int) options, screens []screen) {
	t.Helper()
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			atEachSize(t, of, func(d *driver) {
				d.press(s.keys...)
				// Between two whole seconds, and after a frame: nothing is a tie.
				d.wait(1150 * time.Millisecond)
				d.drawn(s.name)
			})
		})
	}
}

// screen is what the screen shows after some keys.
type screen struct {
	name string
	keys []string
}

// screens are those of TestScreens.
func screens() []screen {
	return []screen{
		{"cards", nil},
		{"codes", []string{"2", "j"}},
		{"transactions", []string{"3", "j", "j"}},
		{"wallet", []string{"4"}},
		{"inspector", []string{"j", "enter"}},
		{"history", []string{"f", "j", "j", "j", "+", "5", "0", "enter", "+", "H"}},
		{"deposits", []string{"d", "j"}},
		{"address", []string{"d", "enter"}},
		{"catalogue", []string{"b", "j"}},
		{"transaction", []string{"3", "j", "enter"}},
		{"webhooks", []string{"w"}},
		{"webhook-form", []string{"w", "n", "h", "down", "space"}},
		{"request-log", []string{"ctrl+r", "/", "b", "a", "l", "a", "n", "c", "e"}},
		{"filter", []string{"/", "f", "b"}},
		{"terms", append([]string{"/"}, strings.Split("bal<20 status=active", "")...)},
		{"terms-wrong", append([]string{"/"}, strings.Split("fb bal<2x", "")...)},
		{"feed-terms", append([]string{"3", "/"}, strings.Split("amt>50 type=dec", "")...)},
		{"amount", []string{"+", "1", "2", ".", "5"}},
		{"confirm", []string{"+", "5", "0", "enter"}},
		{"tabs", append(append([]string{"/"}, strings.Split("status=frozen", "")...), "enter", "t", "f", "r", "enter")},
		{"columns", []string{",", "j", "j", "space"}},
		{"export", []string{"E", "j"}},
		{"grouped", []string{"z", "enter", "enter", "j", "j"}},
		{"palette", []string{":", "s", "o", "r", "t"}},
		{"palette-kinds", []string{":", "f", "b"}},
		{"help", []string{"?"}},
		{"private", []string{"P"}},
		{"locked", []string{"L"}},
		{"choose", []string{"Y"}},
		{"copied", []string{"y"}},
		{"code-copied", []string{"o"}},
	}
}

func TestScreens(t *testing.T) {
	t.Parallel()
	screensOf(t, sized, screens())
}

// TestSurfaceScreens draws the dialogs that no other test draws.
func TestSurfaceScreens(t *testing.T) {
	t.Parallel()
	bad := func(string) ([]byte, error) { return []byte("bin_id,amount\n424242,five\n"), nil }
	for _, s := range surfaces() {
		if s.drawn == "" {
			continue
		}
		t.Run(s.drawn, func(t *testing.T) {
			t.Parallel()
			of := func(w, h int) options {
				return options{w: w, h: h, read: bad, change: s.change, others: s.others, through: s.through()}
			}
			atEachSize(t, of, func(d *driver) {
				s.open(d)
				d.wait(1150 * time.Millisecond)
				d.drawn(s.drawn)
			})
		})
	}
}

// TestEveryScreenHasItsGoldens fails when a pane, a screen or a dialog is not
// drawn at every size. That each is among the surfaces, and that there are no
// other dialogs, is held by TestEverySurfaceIsPastedAt.
func TestEveryScreenHasItsGoldens(t *testing.T) {
	t.Parallel()
	has := make(map[string]bool)
	for _, s := range surfaces() {
		of := cmp.Or(s.dialog, s.name)
		has[of] = has[of] || s.golden+s.drawn != ""
		if s.golden+s.drawn == "" {
			continue
		}
		for _, size := range []string{"160x45", "100x30", "80x24", "40x12"} {
			for _, kind := range []string{".txt", ".styles"} {
				path := filepath.Join("testdata", s.golden+s.drawn+"-"+size+kind)
				if _, err := os.Stat(path); err != nil {
					t.Errorf("%s is not drawn: %v", s.name, err)
				}
			}
		}
	}
	for of, drawn := range has {
		if !drawn {
			t.Errorf("%s has no goldens", of)
		}
	}
}

// TestEverySmallScreenSaysHowItIsLeft, those that something is over.
func TestEverySmallScreenSaysHowItIsLeft(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "*-40x12.txt"))
	must(t, err)
	home := strings.Fields("armed cards cart-armed codes code-copied copied grouped locked private selected tabs transactions wallet")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		name := strings.TrimSuffix(filepath.Base(path), "-40x12.txt")
		if !slices.Contains(home, name) && !strings.Contains(string(text), "esc ") {
			t.Errorf("%s does not say how it is left:\n%s", name, text)
		}
	}
	if len(paths) < 50 {
		t.Errorf("only %d screens", len(paths))
	}
}
