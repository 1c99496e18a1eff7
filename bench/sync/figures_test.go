//go:build long

package sync_test

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// counts are the sizes of the measurements.
type counts struct {
	codes       int           // challenges for each grade of attention
	cards       []int         // accounts whose hours are counted
	hours       time.Duration // of each
	pushed      int           // codes that webhooks announce
	pushedHours time.Duration // of an account with webhooks
}

// howMuch returns the full counts for bench/sync.sh, and otherwise what fits into a run
// of the long tests.
func howMuch() counts {
	switch {
	case os.Getenv("BENCH_SYNC") == "full":
		return counts{codes: 500, cards: []int{50, 500, 5_000, 100_000}, hours: 2 * time.Hour, pushed: 200, pushedHours: 2 * time.Hour}
	case raced:
		return counts{codes: 3, cards: []int{50}, hours: 2 * time.Minute, pushed: 5, pushedHours: 12 * time.Minute}
	default:
		return counts{codes: 40, cards: []int{50, 500}, hours: 20 * time.Minute, pushed: 20, pushedHours: 12 * time.Minute}
	}
}

// figures is a table with its headings in the first row.
type figures [][]string

func (f *figures) row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	*f = append(*f, row)
}

// print writes the table as aligned Markdown.
func (f *figures) print(to io.Writer, title string) {
	widths := make([]int, len((*f)[0]))
	for _, row := range *f {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	line := func(row []string, fill string) string {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(fill, widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString("| " + cell + pad + " |")
			} else {
				b.WriteString(" " + pad + cell + " |")
			}
		}
		return b.String()
	}
	out := "| \n| " + title + "\n| \n" + line((*f)[0], " ") + "\n" + line(make([]string, len(widths)), "-") + "\n"
	for _, row := range (*f)[1:] {
		out += line(row, " ") + "\n"
	}
	_, _ = io.WriteString(to, out) // A test's output takes everything.
}

// percentile returns the value that this share does not exceed, by the nearest rank.
func percentile(all []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// grouped returns a number with commas between thousands.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
