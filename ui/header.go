package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// part is a piece of the header. When the line is too short the parts with
// the largest drop go first; 0 stays.
type part struct {
	spans []widget.Span
	drop  int
}

// header returns the first line, which it draws where something of it may have changed.
func (a *App) header(w int) string {
	if a.frame.header == "" {
		a.frame.header = a.drawHeader(w)
	}
	return a.frame.header
}

// drawHeader draws the mode, the money, and how fresh both are.
func (a *App) drawHeader(w int) string {
	left := a.headerLeft()
	right := a.headerRight()
	for width(left)+width(right) >= w { // One blank is between them.
		if !dropOne(&left, &right) {
			break
		}
	}
	gap := max(0, w-width(left)-width(right))
	spans := make([]widget.Span, 0, 2*(len(left)+len(right))+1)
	spans = append(flatten(spans, left), widget.Span{Text: strings.Repeat(" ", gap)})
	return widget.Spans(w, flatten(spans, right)...)
}

func (a *App) headerLeft() []part {
	t, d := a.theme, a.store.Privacy.Display()
	parts := make([]part, 1, 10) // Few accounts show more.
	parts[0] = part{[]widget.Span{{Style: a.modeStyle(), Text: " " + a.mode() + " "}}, 0}
	walletDrop := 0
	if a.store.Ops.DryRun() {
		// At every width: what is done is not done.
		walletDrop = 1
		parts = append(parts, part{[]widget.Span{{Text: " "}, {Style: t.BadgeWarn, Text: " " + t.Words.T("DRY RUN") + " "}}, 0})
	}
	if n := a.store.Rules.Count(rule.Act); n > 0 {
		// At every width: money moves without a key.
		walletDrop = 1
		parts = append(parts, part{[]widget.Span{{Text: " "}, {Style: t.BadgeWarn, Text: " " + t.Words.Tf("RULES act %d", n) + " "}}, 0})
	}
	if n := a.store.Rules.Count(rule.Suggest); n > 0 {
		parts = append(parts, part{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.Tf("rules suggest %d", n)}}, suggestDrop})
	}
	if privacy, ok := a.privacyPart(); ok {
		walletDrop = 1
		parts = append(parts, privacy)
	}
	you, onHub := a.store.Team.You()
	if onHub {
		walletDrop = 1
	}
	parts = append(append(parts, a.profilePart(you)...), a.youPart(you, onHub)...)
	if a.cfg.PlainKey {
		parts = append(parts, part{[]widget.Span{{Style: t.Warn, Text: "  " + t.Words.T("key in a plain file")}}, 3})
	}
	if a.store.ReadOnly() {
		parts = append(parts, part{[]widget.Span{{Style: t.Warn, Text: "  " + t.Words.T("read-only")}}, 1})
	}
	if a.store.NoReveal() {
		parts = append(parts, part{[]widget.Span{{Style: t.Warn, Text: "  " + t.Words.T("no reveal")}}, 3})
	}
	wallet, ok := a.store.Wallets.Balance()
	if !ok {
		return append(parts, part{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.T("wallet not read yet")}}, 1})
	}
	src := a.store.Poll.Source(poll.Wallet)
	parts = append(parts,
		part{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.T("wallet")}}, 1},
		part{[]widget.Span{{Style: pane.Tone(&t, src.Cached, t.Gold), Text: " " + d.Dollars(wallet.Balance)}}, walletDrop})
	if src.Cached {
		parts = append(parts, part{[]widget.Span{{Style: t.Faint, Text: " " + pane.Cached(&t, src, a.store.Now())}}, 1})
	}
	if p := wallet.PendingDeposits; p != nil && *p != 0 {
		parts = append(parts, part{[]widget.Span{{Style: pane.Tone(&t, src.Cached, t.Good), Text: "  " + t.Words.Tf("+%s pending", d.Dollars(*p))}}, 4})
	}
	if c := wallet.CardsTotalBalance; c != nil {
		parts = append(parts, part{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.T("on cards") + " "}, {Style: pane.Tone(&t, src.Cached, t.Text), Text: d.Dollars(*c)}}, 5})
	}
	return append(append(parts, a.spendPart()), a.lastsParts(src.Cached)...)
}

// lastsParts say how long the wallet lasts, and apart from it the range.
func (a *App) lastsParts(cached bool) []part {
	t := a.theme
	about, spread, ranged := strings.Cut(a.panes.wallet.Lasts(), " (")
	if about == "" {
		return nil
	}
	tone := pane.Tone(&t, cached, t.Text)
	parts := []part{{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.Tc("header", "lasts") + " "}, {Style: tone, Text: about}}, lastsDrop}}
	if ranged {
		parts = append(parts, part{[]widget.Span{{Style: tone, Text: " (" + spread}}, spreadDrop})
	}
	return parts
}

// profilePart names the profile, unless that is who the user is to the hub.
func (a *App) profilePart(you team.You) []part {
	if a.cfg.Profile == "" || a.cfg.Profile == string(you.Name) {
		return nil
	}
	drop := 6
	if len(a.cfg.Accounts) > 1 {
		drop = 1 // Which of them this is matters more than figures.
	}
	return []part{{[]widget.Span{{Style: a.theme.Muted, Text: "  " + a.cfg.Profile}}, drop}}
}

// youPart says who the user is to the hub, and as which role; nothing where there is none.
// It stays at every width: what is done is done in that name.
func (a *App) youPart(you team.You, onHub bool) []part {
	if !onHub {
		return nil
	}
	gap, most := "  ", 16
	if a.w < wordsFrom {
		gap, most = " ", 8
	}
	name := widget.Truncate(a.store.Privacy.Display().Text(string(you.Name)), most)
	return []part{{[]widget.Span{{Style: a.theme.Muted, Text: gap + name}, {Style: a.theme.Info, Text: " " + a.theme.Words.T(you.Role.String())}}, 0}}
}

// askedPart counts the requests that wait for the user.
func (a *App) askedPart(n int) part {
	text, drop := a.theme.Glyphs.Clock+" "+a.theme.Words.Tf("%d to approve", n)+"  ", 2
	if a.w < wordsFrom {
		text, drop = fmt.Sprintf("%s%d  ", a.theme.Glyphs.Clock, n), 1
	}
	return part{[]widget.Span{{Style: a.theme.Warn, Text: text}}, drop}
}

// The first parts to go: the range of how long the money lasts, then that rules suggest, which
// their screen says as well, then how long it lasts.
const (
	lastsDrop   = 8
	suggestDrop = 9
	spreadDrop  = 10
)

// spendBars are the bars of the header's chart, of three hours each.
const spendBars = 8

// spendPart shows what was spent in 24 hours and when, as the spending pane does.
func (a *App) spendPart() part {
	t, d := a.theme, a.store.Privacy.Display()
	spent, complete := a.store.Insight.Spent24h()
	cached := a.store.Poll.Source(poll.Feed).Cached
	about := ""
	if !complete {
		about = "≥"
	}
	if a.store.Poll.Source(poll.Feed).OKAt.IsZero() {
		return part{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.T("24h not read yet")}}, 7}
	}
	if d.Private() {
		return part{[]widget.Span{{Style: t.Muted, Text: "  " + t.Words.T("spent 24h") + " "}, {Style: t.Text, Text: d.Dollars(spent)}}, 7}
	}
	values := make([]float64, spendBars)
	hours := a.store.Insight.Ledger().Bars(ledger.Account(), ledger.Last24h)
	for i, b := range hours {
		values[i*spendBars/len(hours)] += float64(b.Spent())
	}
	return part{[]widget.Span{
		{Style: t.Muted, Text: "  " + t.Words.T("spent 24h") + " "},
		{Style: pane.Tone(&t, cached, t.Text), Text: about + d.Dollars(spent) + " "},
		{Style: pane.Tone(&t, cached, t.Spark), Text: widget.Strip(widget.Sparkline(values, len(values), ""))},
	}, 7}
}

// wordsFrom is the width from which alerts and unconfirmed operations are
// counted in words.
const wordsFrom = 60

func (a *App) headerRight() []part {
	t := a.theme
	var parts []part
	if c := a.store.Codes.Checkout(); c.Card != "" {
		parts = append(parts, part{[]widget.Span{{Style: t.BadgeWarn, Text: " " + t.Words.T("ARMED") + " " + widget.Countdown(c.Until.Sub(a.store.Now())) + " "}, {Text: "  "}}, 2})
	}
	parts = append(parts, a.readParts()...)
	if n := a.store.Team.ToDecide(); n > 0 {
		parts = append(parts, a.askedPart(n))
	}
	if n := a.store.Alerts.Open(); n > 0 {
		least := ""
		if a.frame.alertsLack {
			least = "≥"
		}
		text, drop := t.Glyphs.Alert+" "+least+t.Words.Tn(n, "%d alert", "%d alerts")+"  ", 2
		if a.w < wordsFrom {
			text, drop = fmt.Sprintf("%s%s%d  ", t.Glyphs.Alert, least, n), 1
			if _, onHub := a.store.Team.You(); onHub {
				drop = 2 // The wallet stays longer.
			}
		}
		parts = append(parts, part{[]widget.Span{{Style: t.Warn, Text: text}}, drop})
	}
	unsure := a.store.Ops.UnsettledCount()
	if n := a.store.Ops.PendingCount() - unsure; n > 0 {
		parts = append(parts, part{[]widget.Span{{Style: t.Warn, Text: t.Glyphs.Pending + " " + t.Words.Tf("%d under way", n) + "  "}}, 2})
	}
	if p, ok := a.bulkPart(); ok {
		parts = append(parts, p)
	}
	if unsure > 0 { // The last to go: where the money is is unknown.
		text := t.Glyphs.Unknown + " " + t.Words.Tf("%d unconfirmed", unsure) + "  "
		if a.w < wordsFrom {
			text = fmt.Sprintf("%s%d  ", t.Glyphs.Unknown, unsure)
		}
		parts = append(parts, part{[]widget.Span{{Style: t.Bad, Text: text}}, 1})
	}
	parts = append(parts, linkParts(&t, a.store.Poll.Health(), a.store.Poll.Source(poll.Codes).Every, a.store.Now())...)
	if now, _ := a.store.Push.Status(); now == push.Lost {
		parts = append(parts, part{[]widget.Span{{Style: t.Warn, Text: "  " + t.Words.T("no push")}}, 4})
	}
	percent := (a.store.Poll.Budget().Hour*100 + poll.HourlyRequests - 1) / poll.HourlyRequests
	return append(parts, part{[]widget.Span{{Style: t.Faint, Text: "  " + t.Words.Tf("API %d%%", percent) + " "}}, 3})
}

// linkParts say in a word whether the API answers, and where there is room
// since when or until when.
func linkParts(t *theme.Theme, h kernel.Health, every time.Duration, now time.Time) []part {
	word := func(style, text string) part { return part{[]widget.Span{{Style: style, Text: text}}, 0} }
	when := func(style, text string) part { return part{[]widget.Span{{Style: style, Text: text}}, 2} }
	age := t.Words.AgeCoarse(h.Age)
	switch h.Link {
	case kernel.Live:
		live := []part{word(t.Good, t.Glyphs.Live+" "+t.Words.T("live"))}
		if h.Age < every+time.Second {
			return live
		}
		return append(live, word(t.Muted, " "+age))
	case kernel.Connecting:
		return []part{word(t.Muted, t.Glyphs.Pending+" "+t.Words.T("connecting"))}
	case kernel.Late:
		return []part{word(t.Warn, t.Glyphs.Stale+" "+t.Words.Tf("late %s", age))}
	case kernel.Limited:
		return []part{word(t.Warn, t.Glyphs.Clock+" "+t.Words.Tc("header", "limited")), when(t.Warn, ", "+again(t.Words, h.Until, now))}
	case kernel.KeyRefused:
		return []part{word(t.Bad, t.Glyphs.Cross+" "+t.Words.T("key refused"))}
	default:
		return []part{word(t.Bad, t.Glyphs.Cross+" "+t.Words.T("OFFLINE")), when(t.Bad, " "+t.Words.Tf("since %s", pane.When(t.Words, h.Since, now)))}
	}
}

func width(parts []part) int {
	n := 0
	for _, p := range parts {
		n += widget.SpansWidth(p.spans)
	}
	return n
}

// flatten appends the spans of parts.
func flatten(out []widget.Span, parts []part) []widget.Span {
	for _, p := range parts {
		out = append(out, p.spans...)
	}
	return out
}

// dropOne removes the part that matters least; false when only those are left
// that must stay.
func dropOne(sides ...*[]part) bool {
	worst, side, at := 0, -1, 0
	for s, parts := range sides {
		for i, p := range *parts {
			if p.drop > worst {
				worst, side, at = p.drop, s, i
			}
		}
	}
	if side < 0 {
		return false
	}
	parts := *sides[side]
	*sides[side] = append(parts[:at:at], parts[at+1:]...)
	return true
}

// bulkPart is the header's part on what is done to many cards.
func (a *App) bulkPart() (part, bool) {
	settled, total, waiting := a.store.Bulk.Running()
	if total == 0 {
		return part{}, false
	}
	text, style := a.theme.Words.Tf("bulk %d/%d", settled, total)+"  ", a.theme.Warn
	if waiting > 0 {
		text, style = a.theme.Words.Tf("bulk %d/%d waits", settled, total)+"  ", a.theme.Bad
	}
	return part{[]widget.Span{{Style: style, Text: text}}, 1}, true
}
