package alerts

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/ui/theme"
)

// rest says what would alert, and which settings decide that.
func (p *Pane) rest(w, n int) []string {
	r, d, words := p.Store.Alerts.Rules(), p.Store.Privacy.Display(), p.Theme.Words
	either := func(on bool, yes, no string) string {
		if on {
			return yes
		}
		return words.T(no)
	}
	parts := []string{
		either(r.Wallet > 0, words.Tf("wallet below %s", d.Dollars(r.Wallet)), lang.N("wallet never")),
		either(r.Cards > 0, words.Tf("cards below %s", d.Dollars(r.Cards)), lang.N("cards never")),
		lasting(words, &r),
		either(r.Declines, words.T("declines"), lang.N("declines never")),
		either(r.Storms, words.T("storms"), lang.N("storms never")),
		either(len(r.Rate) > 0, words.Tf("decline rate at %s %%", list(r.Rate)), lang.N("decline rate never")),
		either(r.Spike != 0, words.Tf("%d times the usual hour, from %s", r.Spike, d.Dollars(r.SpikeFrom)), lang.N("spikes never")),
		either(r.Countries, words.T("new countries"), lang.N("new countries never")),
		either(r.Deposit > 0, words.Tf("deposits pending over %s", words.AgeCoarse(r.Deposit)), lang.N("deposits never")),
		either(len(r.Limit) > 0, words.Tf("limits at %s %%", list(r.Limit)), lang.N("limits never")),
		either(len(r.Expiry) > 0, words.Tf("expiry within %s d", list(r.Expiry)), lang.N("expiry never")),
		either(r.Idle > 0, words.Tf("idle cards from %s", words.AgeCoarse(r.Idle)), lang.N("idle cards never")),
	}
	if quiet := r.Quiet.String(); quiet != "" {
		parts = append(parts, words.Tf("quiet %s", quiet))
	}
	return p.faint(w, n, parts...)
}

// lasting says how long money has to last.
func lasting(w *lang.Words, r *alert.Rules) string {
	var parts []string
	for _, line := range []struct {
		what string
		d    time.Duration
	}{{lang.N("wallet %s"), r.WalletLasts}, {lang.N("campaigns %s"), r.CampaignLasts}, {lang.N("cards %s"), r.CardLasts}} {
		if line.d > 0 {
			parts = append(parts, w.Tf(line.what, w.AgeCoarse(line.d)))
		}
	}
	if len(parts) == 0 {
		return w.T("runs out never")
	}
	return w.Tf("runs out: %s", strings.Join(parts, ", "))
}

// list is the parts of which each alerts.
func list(lines []int) string {
	var parts []string
	for _, p := range lines {
		parts = append(parts, fmt.Sprint(p))
	}
	return strings.Join(parts, ", ")
}

// kindText is what an alert is called on the screen.
func kindText(w *lang.Words, k alert.Kind) string {
	switch k {
	case alert.KeyRefused:
		return w.Tc("alert", "key refused")
	case alert.WalletLow:
		return w.Tc("alert", "wallet low")
	case alert.RunsOut:
		return w.Tc("alert", "runs out")
	case alert.BalanceLow:
		return w.Tc("alert", "low balance")
	case alert.RetryStorm:
		return w.Tc("alert", "retry storm")
	case alert.Declined:
		return w.Tc("alert", "declined")
	case alert.DeclineRate:
		return w.Tc("alert", "decline rate")
	case alert.SpendSpike:
		return w.Tc("alert", "spend spike")
	case alert.NewCountry:
		return w.Tc("alert", "new country")
	case alert.LimitUsed:
		return w.Tc("alert", "limit used")
	case alert.Expired:
		return w.Tc("alert", "expired")
	case alert.ExpiresSoon:
		return w.Tc("alert", "expires soon")
	case alert.Ruled:
		return w.Tc("alert", "rule")
	case alert.IdleCards:
		return w.Tc("alert", "idle cards")
	case alert.DepositPending:
		return w.Tc("alert", "deposit pending")
	default:
		return k.String()
	}
}

// setting names what in the configuration raises an alert.
func setting(w *lang.Words, a *alert.Alert) string {
	switch a.Kind {
	case alert.WalletLow:
		return "alerts.wallet_below"
	case alert.BalanceLow:
		return w.Tf("%s, else %s", "alerts.low", "alerts.cards_below")
	case alert.RunsOut:
		switch {
		case a.Card != "":
			return w.Tf("%s, else %s", "alerts.hours", "alerts.card_hours")
		case a.Campaign != "":
			return w.Tf("%s, else %s", "alerts.hours", "alerts.campaign_hours")
		}
		return "alerts.wallet_hours"
	case alert.RetryStorm:
		return "alerts.storms"
	case alert.Declined:
		return "alerts.declines"
	case alert.DeclineRate:
		if a.Card != "" || a.Campaign != "" {
			return w.Tf("%s, else %s", "alerts.decline", "alerts.decline_percent")
		}
		return "alerts.decline_percent"
	case alert.SpendSpike:
		return w.Tf("%s, else %s", "alerts.spike", "alerts.spike_times")
	case alert.NewCountry:
		return "alerts.countries"
	case alert.LimitUsed:
		return "alerts.limit_percent"
	case alert.Expired, alert.ExpiresSoon:
		return "alerts.expiry_days"
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

// sign is how bad an alert is: what stops payments, what is wrong, what can wait.
func sign(t *theme.Theme, a *alert.Alert) (glyph, style string) {
	switch a.Severity() {
	case alert.Critical, alert.Urgent:
		return t.Glyphs.Cross, t.Bad
	case alert.Warning:
		return t.Glyphs.Alert, t.Warn
	default:
		return t.Glyphs.Bullet, t.Info
	}
}
