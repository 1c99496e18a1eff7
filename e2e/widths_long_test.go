//go:build long

package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/ui/widget"
)

// hostileTexts are what terminals and programs count differently.
func hostileTexts() []string {
	return []string{
		"世界カード・한국어카드-" + strings.Repeat("界", 40),
		"👨‍👩‍👧‍👦 👍🏽 ❤️ 🇺🇸🇺 1️⃣ 🏴‍☠️ 👩\u200d ",
		strings.Repeat("e\u0301\u0302\u0303\u0304", 12),
		"שלום مرحبا \u202eabc\u202c \u2066x\u2069 \u200f",
		"\u200bzero\u200bwidth\ufeff\u00ad\u2060 joined\u200d",
		strings.Repeat("very long label ", 4),
		"हिन्दी क्षत्रिय ﷽ ⸻ ꧏ 𓀀 각 ｶﾀｶﾅ",
		"a\tb\nc\r\x1b[31mred\x1b]52;c;aGk=\a\x7f",
		"\u0301\u0302 begins with marks",
		"",
	}
}

// disturb gives the account texts of each kind, wherever others write them.
func (d *driver) disturb() {
	d.t.Helper()
	texts := hostileTexts()
	for i, c := range objects(d.t, d.api(http.MethodGet, "/cards?per_page=100&status=active", nil)["data"]) {
		label := []rune(texts[i%len(texts)])
		id := text(d.t, c["id"])
		d.api(http.MethodPatch, "/cards/"+id, map[string]any{"label": string(label[:min(len(label), 64)]), "metadata": map[string]string{"team": texts[i%len(texts)]}})
		if i < len(texts)-1 {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{
				"card_id": id, "type": "settlement", "amount": 0.01, "merchant": texts[i] + "x", "category": texts[i] + "x",
			})
		}
		if i%4 == 0 && texts[i%len(texts)] != "" {
			d.challenge(id, texts[i%len(texts)], "482913", 1)
		}
	}
	d.wait(11 * time.Second)
}

// TestEveryLineIsAsWideAsTheScreen draws every pane, screen and dialog at all
// widths, each at another height.
func TestEveryLineIsAsWideAsTheScreen(t *testing.T) {
	t.Parallel()
	heights := []int{12, 13, 18, 24, 28, 33, 45, 60}
	bad := func(string) ([]byte, error) { return []byte("bin_id,amount\n424242,five\n"), nil }
	for i, s := range surfaces() {
		step := 1
		if s.dialog != "" {
			step = 5 // Each lies over the same panes.
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			story(t, options{cards: 16, read: bad, change: s.change, others: s.others, through: s.through()}, func(d *driver) {
				d.disturb()
				s.open(d)
				d.wait(time.Second)
				d.prog.Quit()
				d.prog.Wait()
				for w := 40 + i%step; w <= 220; w += step {
					h := heights[w%len(heights)]
					d.app.Update(tea.WindowSizeMsg{Width: w, Height: h})
					lines := strings.Split(strings.Join(d.app.Frame().Lines, "\n"), "\n")
					if len(lines) != h {
						t.Fatalf("%d lines at %dx%d", len(lines), w, h)
					}
					for y, l := range lines {
						if got := [...]int{ansi.StringWidth(l) + spreads(l), ansi.StringWidthWc(l), widget.LineWidth(l)}; got != [...]int{w, w, w} {
							t.Fatalf("line %d at %dx%d is %v cells: %+q", y, w, h, got, l)
						}
					}
				}
			})
		})
	}
}

// spreads is how many cells fewer a line takes on a terminal that draws marks over their letter: the screen places what follows.
func spreads(line string) (n int) {
	for line = widget.Strip(line); line != ""; {
		text, cells, bytes := widget.Cluster(line)
		n += max(0, cells-ansi.StringWidth(text))
		line = line[bytes:]
	}
	return n
}
