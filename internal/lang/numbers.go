package lang

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api"
)

// signs are how a language writes numbers, dates and spans.
type signs struct {
	decimal, group string
	months         string // abbreviated, of three letters each, with spaces between
	weekdays       string // of two letters, Sunday first
	// Units of time: seconds, minutes, hours, days.
	units string
}

func signsOf(name string) (signs, bool) {
	switch name {
	case Russian:
		return signs{decimal: ",", group: nbsp, months: "янв фев мар апр май июн июл авг сен окт ноя дек", weekdays: "вс пн вт ср чт пт сб", units: "смчд"}, true
	case Ukrainian:
		return signs{decimal: ",", group: nbsp, months: "січ лют бер кві тра чер лип сер вер жов лис гру", weekdays: "нд пн вт ср чт пт сб", units: "схгд"}, true
	default:
		return signs{}, false
	}
}

// newWords makes words of translations. All languages but English put the day first.
func newWords(name string, texts map[string][]string, s signs) *Words {
	return &Words{
		name: name, texts: texts, signs: s,
		number: strings.NewReplacer(",", s.group, ".", s.decimal), layout: strings.NewReplacer("Jan _2", "_2 Jan", "Jan 2", "2 Jan", "Jan 02", "02 Jan"),
	}
}

// nbsp never ends a line.
const nbsp = "\u00a0"

const englishMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"

// Number writes a number that Go wrote, with a point and commas: "1,234.5".
func (w *Words) Number(plain string) string {
	if w == nil {
		return plain
	}
	return w.number.Replace(plain)
}

// Amount is an amount in USD without its sign: "1,234.56".
func (w *Words) Amount(u api.USD) string { return w.Number(u.Grouped()) }

// Dollars is an amount in USD with the sign of the currency: "$1,234.56", "-$5.00".
func (w *Words) Dollars(u api.USD) string {
	switch {
	case w != nil:
		return w.Amount(u) + nbsp + "$"
	case u < 0:
		return "-$" + (-u).Grouped()
	default:
		return "$" + u.Grouped()
	}
}

// Transaction is the amount of a transaction: without a sign where nothing moved, with its
// currency where that is not USD.
func (w *Words) Transaction(t *api.Transaction) string {
	u := api.USD(t.Sent()) // For its form alone.
	if t.Type == api.TransactionAuthorization || t.Type == api.TransactionDecline {
		u = max(u, -u)
	}
	if t.InUSD() {
		return w.Amount(u)
	}
	return w.Amount(u) + nbsp + string(t.Currency)
}

// Size is the amount of a transaction without a sign and with its currency: "$12.00", "15,000.00 JPY".
func (w *Words) Size(t *api.Transaction) string {
	u := api.USD(t.Sent())
	if u = max(u, -u); t.InUSD() {
		return w.Dollars(u)
	}
	return w.Amount(u) + nbsp + string(t.Currency)
}

// Sum puts the sign of the currency to an amount that is text already.
func (w *Words) Sum(amount string) string {
	if w == nil {
		return "$" + amount
	}
	return amount + nbsp + "$"
}

// Time formats a time by a layout of package time, with the months and weekdays of the
// language and its order of day and month. The width is that of English, but a weekday
// has a letter less.
func (w *Words) Time(t time.Time, layout string) string {
	if w == nil {
		return t.Format(layout)
	}
	layout = w.layout.Replace(layout)
	if strings.Contains(layout, "Mon") {
		at := 3 * int(t.Weekday()) // Two letters and a space.
		layout = strings.Replace(layout, "Mon", string([]rune(w.signs.weekdays)[at:at+2]), 1)
	}
	if !strings.Contains(layout, "Jan") {
		return t.Format(layout)
	}
	at := 4 * (int(t.Month()) - 1) // Three letters and a space.
	month := string([]rune(w.signs.months)[at : at+3])
	return strings.Replace(t.Format(layout), englishMonths[at:at+3], month, 1)
}

// Day returns the day of a time, UTC.
func (w *Words) Day(t time.Time) string { return w.Time(t.UTC(), "2 Jan 2006") }

// Age returns how long ago something was, short enough for a title: 0.4s,
// 12s, 3m, 2h, 3d. It rounds down; a negative age is 0.0s.
func (w *Words) Age(d time.Duration) string {
	d = max(d, 0)
	b := make([]byte, 0, 8)
	switch {
	case d < 10*time.Second:
		tenths := int64(d / (100 * time.Millisecond))
		b = append(strconv.AppendInt(b, tenths/10, 10), w.decimal()...)
		b = w.unit(append(b, byte('0'+tenths%10)), 0)
	case d < time.Minute:
		b = w.unit(strconv.AppendInt(b, int64(d/time.Second), 10), 0)
	case d < time.Hour:
		b = w.unit(strconv.AppendInt(b, int64(d/time.Minute), 10), 1)
	case d < 24*time.Hour:
		b = w.unit(strconv.AppendInt(b, int64(d/time.Hour), 10), 2)
	default:
		b = w.unit(strconv.AppendInt(b, int64(d/(24*time.Hour)), 10), 3)
	}
	return string(b)
}

// AgeOfRow returns an age for a list that users look at all day: below a
// minute it moves every ten seconds only: now, 10s, 50s, 3m, 2h, 3d.
func (w *Words) AgeOfRow(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return w.Tc("age", "now")
	case d < time.Minute:
		return w.Age(d.Truncate(10 * time.Second))
	default:
		return w.Age(d)
	}
}

// Ago is AgeOfRow in a sentence: just now, 10s ago, 3m ago.
func (w *Words) Ago(d time.Duration) string {
	if d < 10*time.Second {
		return w.T("just now")
	}
	return w.Tf("%s ago", w.AgeOfRow(d))
}

// AgeCoarse returns an age in whole seconds and more, for lists that are not
// redrawn ten times a second: 0s, 12s, 3m, 2h, 3d.
func (w *Words) AgeCoarse(d time.Duration) string {
	if d < 10*time.Second {
		return string(w.unit([]byte{byte('0' + max(d, 0)/time.Second)}, 0))
	}
	return w.Age(d)
}

// Seconds returns a wait in seconds, rounded up: 3 s.
func (w *Words) Seconds(d time.Duration) string {
	b := strconv.AppendInt(nil, int64((d+time.Second-1)/time.Second), 10)
	return string(w.unit(append(b, ' '), 0))
}

// decimal is the sign between a whole number and its fraction.
func (w *Words) decimal() string {
	if w == nil {
		return "."
	}
	return w.signs.decimal
}

// unit appends a unit of time: seconds, minutes, hours, days.
func (w *Words) unit(b []byte, n int) []byte {
	if w == nil {
		return append(b, "smhd"[n])
	}
	return utf8.AppendRune(b, []rune(w.signs.units)[n])
}
