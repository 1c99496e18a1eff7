package decline

import (
	"github.com/cardtop/cardtop/internal/lang"
)

// Rate returns declines per attempt in percent; false when there was no attempt.
func Rate(declined, attempts int) (percent float64, ok bool) {
	if attempts <= 0 {
		return 0, false
	}
	return 100 * float64(declined) / float64(attempts), true
}

// Reached reports whether a rate has come to a line, in percent.
func Reached(declined, attempts, line int) bool {
	return attempts > 0 && 100*declined >= line*attempts
}

// MoreTo returns how many more declines in a row reach a line (percent); 0 when it is
// reached, false when no number does.
func MoreTo(declined, attempts, line int) (n int, ok bool) {
	switch {
	case Reached(declined, attempts, line):
		return 0, true
	case line > 100, line == 100 && declined < attempts:
		return 0, false
	case line >= 100 || line <= 0:
		return 1, true
	}
	// The least n with 100 (declined + n) >= line (attempts + n).
	need := line*attempts - 100*declined
	return max(1, (need+99-line)/(100-line)), true
}

// Reaches returns how many of some lines (percent, ascending) a rate has come to.
func Reaches(declined, attempts int, lines []int) (n int) {
	for n < len(lines) && Reached(declined, attempts, lines[n]) {
		n++
	}
	return n
}

// ToNext returns how many more declines in a row reach the next of some lines (percent,
// ascending), and that line; false when they are all reached, when no number does, and for a rate
// of fewer attempts than from, which reaches none.
func ToNext(declined, attempts, from int, lines []int) (n, line int, ok bool) {
	at := Reaches(declined, attempts, lines)
	if attempts == 0 || attempts < from || at == len(lines) {
		return 0, 0, false
	}
	n, ok = MoreTo(declined, attempts, lines[at])
	return n, lines[at], ok
}

// Next says how near the alert is that a rate raises; empty without lines, and where nothing was
// tried. A rate of fewer attempts than from raises none.
func Next(w *lang.Words, declined, attempts, from int, lines []int) string {
	if attempts == 0 || len(lines) == 0 {
		return ""
	}
	if attempts < from {
		return w.Tf("from %d payments on", from)
	}
	at := Reaches(declined, attempts, lines)
	n, line, more := ToNext(declined, attempts, from, lines)
	switch {
	case at > 0 && more && n == 1:
		return w.Tf("past %d %%, 1 decline to %d %%", lines[at-1], line)
	case at > 0 && more:
		return w.Tf("past %d %%, %d declines to %d %%", lines[at-1], n, line)
	case at > 0:
		return w.Tf("past %d %%", lines[at-1])
	case !more:
		return ""
	case n == 1:
		return w.Tf("1 more decline reaches %d %%", line)
	}
	return w.Tf("%d more declines reach %d %%", n, line)
}
