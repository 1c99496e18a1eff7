package alert

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

// Hours are hours of each day in which the user is not called, in local time since
// midnight. From and To are the same where there are none; To may be on the next day.
type Hours struct {
	From, To time.Duration
	// Except are the kinds that call the user all the same.
	Except []Kind
}

// In reports whether a local time is within the hours.
func (h Hours) In(t time.Time) bool {
	at := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
	if h.From <= h.To {
		return h.From <= at && at < h.To
	}
	return h.From <= at || at < h.To
}

// Holds reports whether an alert of a kind is held at a local time.
func (h Hours) Holds(k Kind, t time.Time) bool { return h.In(t) && !slices.Contains(h.Except, k) }

// String is the hours as in 23:00-07:00; empty for none.
func (h Hours) String() string {
	if h.From == h.To {
		return ""
	}
	return clock(h.From) + "-" + clock(h.To)
}

// Until is when the hours end, as in 07:00.
func (h Hours) Until() string { return clock(h.To) }

func clock(d time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
}

// ParseHours reads hours as in 23:00-07:00; empty for none.
func ParseHours(text string) (h Hours, ok bool) {
	if text == "" {
		return Hours{}, true
	}
	from, to, found := strings.Cut(text, "-")
	h.From, ok = parseClock(from)
	if !found || !ok {
		return Hours{}, false
	}
	h.To, ok = parseClock(to)
	if !ok || h.From == h.To {
		return Hours{}, false
	}
	return h, true
}

func parseClock(text string) (time.Duration, bool) {
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, false
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
}

// Held are alerts that began in quiet hours. The zero value is empty.
type Held struct{ ids []ID }

// Add holds an alert.
func (h *Held) Add(id ID) {
	if len(h.ids) < kept && !slices.Contains(h.ids, id) {
		h.ids = append(h.ids, id)
	}
}

// Release returns what to say of the alerts that were held and that the user has not
// seen, and holds none; empty for none. Shown is in the language of the screen.
func (h *Held) Release(l *List, now time.Time) (text, shown string) {
	text, shown = h.text(nil, l, now), h.text(l.words, l, now)
	h.ids = nil
	return text, shown
}

func (h *Held) text(w *lang.Words, l *List, now time.Time) string {
	var count [kinds]int
	n := 0
	for _, id := range h.ids {
		if a := l.Find(id); a != nil && !a.Quiet(now) {
			count[a.Kind]++
			n++
		}
	}
	if n == 0 {
		return ""
	}
	var parts []string
	for k, c := range count {
		switch {
		case c == 1:
			parts = append(parts, w.T(Kind(k).String()))
		case c > 1:
			parts = append(parts, w.Tf("%d %s", c, w.T(Kind(k).String())))
		}
	}
	return strings.Join(parts, ", ")
}

// Len counts the alerts that are held.
func (h *Held) Len() int { return len(h.ids) }
