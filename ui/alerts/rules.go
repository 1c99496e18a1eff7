package alerts

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/lang"
	"github.com/cardtop/cardtop/ui/theme"
)

// rest says what would alert, and which settings decide that.
func (p *Pane) rest(w, n int) []string {
	r, d := p.Store.Alerts.Rules(), p.Store.Privacy.Display()
	below := func(what string, limit state.USD) string {
		if limit <= 0 {
			return what + " never"
		}
		return what + " below " + d.Dollars(limit)
	}
	deposits := "deposits never"
	if r.Deposit > 0 {
		deposits = "deposits pending over " + p.Theme.Words.AgeCoarse(r.Deposit)
	}
	parts := []string{below("wallet", r.Wallet), below("cards", r.Cards), lasting(p.Theme.Words, &r), never("declines", r.Declines), never("storms", r.Storms)}
	parts = append(parts, percents("decline rate", r.Rate), spikes(&r, d), never("new countries", r.Countries), deposits, percents("limits", r.Limit))
	if quiet := r.Quiet.String(); quiet != "" {
		parts = append(parts, "quiet "+quiet)
	}
	return p.faint(w, n, parts...)
}

func never(what string, on bool) string {
	if on {
		return what
	}
	return what + " never"
}

// lasting says how long money has to last.
func lasting(w *lang.Words, r *state.AlertRules) string {
	var parts []string
	for _, line := range []struct {
		what string
		d    time.Duration
	}{{"wallet", r.WalletLasts}, {"campaigns", r.CampaignLasts}, {"cards", r.CardLasts}} {
		if line.d > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", line.what, w.AgeCoarse(line.d)))
		}
	}
	if len(parts) == 0 {
		return "runs out never"
	}
	return "runs out: " + strings.Join(parts, ", ")
}

// spikes says how much an hour may come to.
func spikes(r *state.AlertRules, d state.Display) string {
	if r.Spike == 0 {
		return "spikes never"
	}
	return fmt.Sprintf("%d times the usual hour, from %s", r.Spike, d.Dollars(r.SpikeFrom))
}

// percents says which parts alert.
func percents(what string, lines []int) string {
	if len(lines) == 0 {
		return what + " never"
	}
	var parts []string
	for _, p := range lines {
		parts = append(parts, fmt.Sprint(p))
	}
	return what + " at " + strings.Join(parts, ", ") + " %"
}

// setting names what in the configuration raises an alert.
func setting(a *state.Alert) string {
	switch a.Kind {
	case alert.WalletLow:
		return "alerts.wallet_below"
	case alert.BalanceLow:
		return "alerts.low, else alerts.cards_below"
	case alert.RunsOut:
		switch {
		case a.Card != "":
			return "alerts.hours, else alerts.card_hours"
		case a.Campaign != "":
			return "alerts.hours, else alerts.campaign_hours"
		}
		return "alerts.wallet_hours"
	case alert.RetryStorm:
		return "alerts.storms"
	case alert.Declined:
		return "alerts.declines"
	case alert.DeclineRate:
		if a.Card != "" || a.Campaign != "" {
			return "alerts.decline, else alerts.decline_percent"
		}
		return "alerts.decline_percent"
	case alert.SpendSpike:
		return "alerts.spike, else alerts.spike_times"
	case alert.NewCountry:
		return "alerts.countries"
	case alert.LimitUsed:
		return "alerts.limit_percent"
	case alert.DepositPending:
		return "alerts.deposit_minutes"
	case alert.Ruled:
		return "[[rules]]"
	case alert.IdleCards:
		return "alerts.idle_days"
	default:
		return ""
	}
}

func sign(t *theme.Theme, k alert.Kind) string {
	switch k {
	case alert.KeyRefused, alert.Declined, alert.RetryStorm:
		return t.Glyphs.Cross
	case alert.DepositPending:
		return t.Glyphs.Pending
	default:
		return t.Glyphs.Alert
	}
}

func kindStyle(t *theme.Theme, a *state.Alert) string {
	switch {
	case a.Kind == alert.KeyRefused, a.Kind == alert.Declined, a.Kind == alert.RetryStorm, a.Kind == alert.DeclineRate && a.Level > 1:
		return t.Bad
	}
	return t.Warn
}
