package alert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// The bounds of lines: hours, times of the usual hour, percent, how many lines a rate has,
// and USD.
const (
	MaxHours   = 30 * 24
	MaxTimes   = 100
	MaxPercent = 1000
	MaxLines   = 9
	MaxAmount  = 10_000_000 * api.Dollar
)

// Field is a line that can be set: its name in the configuration and as it is typed.
type Field struct {
	Path              []string
	Label, Hint, Text string
	kind              fieldKind
}

type fieldKind uint8

const (
	dollars fieldKind = iota
	hours
	percents
	times
)

// CardFields are the lines of a card.
func (r *Rules) CardFields(c *cardlist.Card) []Field {
	lines, id := r.OfCard(c), string(c.ID)
	return append([]Field{newField(dollars, amountText(lines.Below), lang.N("below $"), "low", id)}, ownFields(lines, id)...)
}

// CampaignFields are the lines of a campaign.
func (r *Rules) CampaignFields(name string) []Field {
	return ownFields(r.Of(ledger.Scope{By: ledger.ByCampaign, Name: name}), name)
}

func ownFields(l Lines, name string) []Field {
	return []Field{
		newField(hours, hoursText(l.Lasts), lang.N("lasts h"), "hours", name),
		newField(percents, percentsText(l.Rate), lang.N("declines %"), "decline", name),
		newField(times, strconv.Itoa(l.Spike), lang.N("spike times"), "spike", name),
	}
}

// AllFields are the lines of everything that has none of its own.
func (r *Rules) AllFields() []Field {
	return []Field{
		newField(dollars, amountText(r.Wallet), lang.N("wallet $"), "wallet_below"),
		newField(dollars, amountText(r.Cards), lang.N("cards $"), "cards_below"),
		newField(hours, hoursText(r.WalletLasts), lang.N("wallet h"), "wallet_hours"),
		newField(hours, hoursText(r.CampaignLasts), lang.N("campaign h"), "campaign_hours"),
		newField(hours, hoursText(r.CardLasts), lang.N("card h"), "card_hours"),
		newField(percents, percentsText(r.Rate), lang.N("declines %"), "decline_percent"),
		newField(times, strconv.Itoa(r.Spike), lang.N("spike times"), "spike_times"),
		spikeFrom(r.SpikeFrom),
	}
}

func spikeFrom(u api.USD) Field {
	f := newField(dollars, amountText(u), lang.N("spike from $"), "spike_above")
	f.Hint = lang.N("what an hour has to come to")
	return f
}

func newField(k fieldKind, text, label string, path ...string) Field {
	hint := map[fieldKind]string{
		dollars:  lang.N("alerts below; 0: never"),
		hours:    lang.N("hours that the money has to last; 0: never"),
		percents: lang.N("of payments in 7 days, comma-separated; empty: never"),
		times:    lang.N("of the usual hour; 0: never"),
	}[k]
	return Field{Path: append([]string{"alerts"}, path...), Label: label, Hint: hint, Text: text, kind: k}
}

func amountText(u api.USD) string      { return u.String() }
func hoursText(d time.Duration) string { return strconv.Itoa(int(d / time.Hour)) }
func percentsText(list []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]")
}

// Parse returns what was typed as TOML, or what is wrong with it. An empty line is never
// reached.
func (f *Field) Parse(w *lang.Words, text string) (toml, problem string) {
	if text = strings.TrimSpace(text); text == "" && f.kind != percents {
		text = "0"
	}
	switch f.kind {
	case dollars:
		usd, err := api.ParseTyped(strings.TrimPrefix(text, "$"))
		if err != nil || usd < 0 || usd > MaxAmount || usd%api.Cent != 0 {
			return "", w.T("an amount in USD, such as 12.50")
		}
		return strconv.Quote(usd.String()), ""
	case hours:
		return whole(w, text, lang.N("whole hours, 0 to %d"), MaxHours)
	case times:
		return whole(w, text, lang.N("whole times, 0 to %d"), MaxTimes)
	default:
		return percentList(w, text)
	}
}

func whole(w *lang.Words, text, format string, most int) (toml, problem string) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return "", w.Tf(format, most)
	}
	return strconv.Itoa(n), ""
}

func percentList(w *lang.Words, text string) (toml, problem string) {
	list := []int{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(part), "%")); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > MaxPercent {
			return "", w.Tf("whole numbers, 1 to %d, such as 15, 25", MaxPercent)
		}
		list = append(list, n)
	}
	if len(list) > MaxLines {
		return "", w.Tf("at most %d lines", MaxLines)
	}
	slices.Sort(list)
	return "[" + percentsText(slices.Compact(list)) + "]", ""
}
