package wallets

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The keys of the address: copy it, trust one that changed, and invert the QR
// code where the terminal's background is unknown.
const (
	addressCopy   = "y"
	addressTrust  = "t"
	addressInvert = "i"
)

// Address shows the deposit address of a currency as text and as a QR code. One
// that changed since it was last seen is shown beside the previous one, without
// a code, and is not copied.
type Address struct {
	theme    *theme.Theme
	store    *state.Store
	currency api.Currency
	inverted bool
	// amount is what the user means to send, in the currency's unit. It is only
	// compared with the minimum.
	amount *widget.Amount
	dialog.Scroller
}

// NewAddress makes the dialog; an empty currency is the first there is.
func NewAddress(t *theme.Theme, s *state.Store, currency api.Currency) *Address {
	return &Address{theme: t, store: s, currency: currency, amount: widget.NewCoins(dialog.InputStyles(t))}
}

// Traits implements Dialog.
func (d *Address) Traits() dialog.Traits {
	return dialog.Traits{Move: d.Move}
}

// Sync makes the dialog read the store again.
func (d *Address) Sync(s *state.Store, _ kernel.Topic) { d.store = s }

// Paste inserts an amount.
func (d *Address) Paste(text string) {
	if a, at, _ := d.shown(); d.checks(a, at) {
		d.amount.Paste(text)
	}
}

// checks reports whether an amount can be typed: not for an address that
// nothing should be sent to yet.
func (d *Address) checks(a wallets.Address, at int) bool {
	return at >= 0 && a.Trust != wallets.TrustChanged && !d.store.Privacy.Display().Private()
}

// shown returns the address on screen and its place among all.
func (d *Address) shown() (a wallets.Address, at int, all []wallets.Address) {
	all, _, _ = d.store.Wallets.Addresses()
	if len(all) == 0 {
		return wallets.Address{}, -1, nil
	}
	at = max(0, slices.IndexFunc(all, func(a wallets.Address) bool { return a.Currency == d.currency }))
	return all[at], at, all
}

// Act shows the next currency, clears the amount, or closes.
func (d *Address) Act(a keymap.Action) dialog.Result {
	typed := d.amount.Value() != ""
	d.Offset = 0
	switch a {
	case keymap.Switch:
		if _, at, all := d.shown(); at >= 0 {
			d.currency = all[(at+1)%len(all)].Currency
		}
		d.amount.SetValue("")
	case keymap.Cancel:
		d.amount.SetValue("")
		return dialog.Result{Close: !typed}
	case keymap.Confirm:
		return dialog.Result{Close: !typed} // The check of a typed amount stays on screen.
	default:
	}
	return dialog.Result{}
}

// Type copies the address, trusts one that changed, reads them again, or
// inverts the QR code. Digits are an amount's.
func (d *Address) Type(key, text string) dialog.Result {
	a, at, _ := d.shown()
	_, known, err := d.store.Wallets.Addresses()
	switch {
	case key == "r" && !known && err != nil:
		return dialog.Result{Intents: []kernel.Intent{wallets.LoadAddresses{}}}
	case at < 0:
	case key == addressCopy:
		return dialog.Result{Intents: []kernel.Intent{secrets.CopyAddress{Currency: a.Currency}}}
	case key == addressTrust && a.Trust == wallets.TrustChanged:
		return dialog.Result{Push: d.confirm(a)}
	case key == addressInvert && d.theme.Mono:
		d.inverted = !d.inverted
	case d.checks(a, at) && (d.amount.Value() != "" || startsAmount(text)):
		d.amount.Key(key, text)
	}
	return dialog.Result{}
}

// startsAmount reports whether text can begin an amount.
func startsAmount(text string) bool { return text != "" && strings.Trim(text, "0123456789.,") == "" }

// proof is how many characters of an address are typed to show that it was
// compared.
const proof = 6

// confirm has the end of the new address typed, as the service's own page shows
// it.
func (d *Address) confirm(a wallets.Address) *dialog.Confirm {
	end := string(a.Address[max(0, len(a.Address)-proof):])
	return dialog.NewConfirm(d.theme, d.store, dialog.Question{
		Title: d.theme.Words.Tf("Trust the new %s address", strings.ToUpper(string(a.Currency))), Verb: d.theme.Words.T("Trust"),
		Intent: wallets.TrustAddress{Pin: a.Pin}, Closes: 1,
		Typed: &dialog.Typed{Ask: d.theme.Words.T("last six characters"), Match: func(text string) bool { return strings.TrimSpace(text) == end }},
		Lines: func(w int) []string {
			lines := append([]string{widget.Spans(w)}, dialog.Paragraph(w, d.theme.Text,
				d.theme.Words.T("Open the service's own page, not a link, and type the end of the address shown there."))...)
			return append(lines, dialog.Paragraph(w, d.theme.Bad, d.theme.Words.T("Deposits to a wrong address are lost."))...)
		},
	})
}

// View draws the box.
func (d *Address) View(w, h int) []string {
	w = min(w, 84)
	inner, t := w-2, d.theme
	a, at, all := d.shown()
	if at < 0 {
		return dialog.Box(t, t.Words.T("Deposit address"), d.missing(inner), w)
	}
	head := []string{d.tabs(inner, at, all)}
	if d.checks(a, at) && d.amount.Value() != "" {
		head = append(head, d.check(a, inner)...)
	}
	room := h - 3 - len(head) // A line is the foot's.
	body := d.body(a, inner, room)
	lines := append(head, d.Part(body, room)...)
	return dialog.Scrolled(t, t.Words.T("Deposit address"), append(lines, d.hints(inner, a, len(all))), w, d.Scroll)
}

// check draws the typed amount and whether it is enough.
func (d *Address) check(a wallets.Address, w int) []string {
	t, code := d.theme, strings.ToUpper(string(a.Currency))
	coin, name := " "+code, dialog.Pad(t.Words.T("to send"), dialog.NameCells)
	n := widget.Width(name)
	cells := min(w-n-len(coin)-2, widget.Width(d.amount.Value())+1)
	lines := []string{widget.JoinHorizontal([]string{dialog.Pair(t, n+1, name)}, []string{d.amount.View(cells, true)},
		[]string{widget.Spans(w-n-1-cells, widget.Span{Style: t.Muted, Text: coin})})[0]}
	if problem := d.amount.Err(); problem != "" {
		return append(lines, dialog.ErrorLines(t, w, problem)...)
	}
	least, told := d.store.Wallets.Minimum(a.Currency)
	amount := strings.TrimSuffix(d.amount.Value(), ".")
	switch enough, known := d.store.Wallets.Enough(a.Currency, api.Crypto(amount)); {
	case !told:
		return append(lines, dialog.Paragraph(w, t.Warn, t.Words.Tf("the API reports no minimum for %s: ask the service before you send", code))...)
	case !known:
		return append(lines, dialog.Paragraph(w, t.Muted, t.Words.Tf("at least %s", string(least)+coin))...)
	case !enough:
		return append(lines, dialog.Paragraph(w, t.Bad, t.Glyphs.Cross+" "+t.Words.Tf("below the minimum of %s: it may be lost", string(least)+coin))...)
	}
	return append(lines, dialog.Paragraph(w, t.Good, t.Glyphs.Check+" "+t.Words.Tf("%s is enough: the minimum is %s", amount+coin, string(least)+coin))...)
}

// missing draws why there is no address.
func (d *Address) missing(w int) []string {
	t := d.theme
	_, known, err := d.store.Wallets.Addresses()
	switch {
	case known:
		return dialog.Paragraph(w, t.Muted, t.Words.T("the API returned no deposit address; esc back"))
	case err != nil:
		return append(dialog.Paragraph(w, t.Warn, t.Words.Tf("cannot read the addresses: %s", errtext.Explain(t.Words, err))),
			dialog.Paragraph(w, t.Muted, t.Words.T("r retry, esc back"))...)
	}
	return dialog.Paragraph(w, t.Muted, t.Words.T("loading addresses… esc back"))
}

func (d *Address) tabs(w, at int, all []wallets.Address) string {
	spans := make([]widget.Span, 0, len(all))
	for i, a := range all {
		style, name := d.theme.Muted, " "+strings.ToUpper(string(a.Currency))+" "
		if a.Trust == wallets.TrustChanged {
			name = " " + d.theme.Glyphs.Alert + strings.TrimPrefix(name, " ")
		}
		if i == at {
			style = d.theme.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: name})
	}
	return widget.Spans(w, spans...)
}

// hints name the keys for one address of n.
func (d *Address) hints(w int, a wallets.Address, n int) string {
	t, scrolls := d.theme, d.Total > d.Visible
	var spans []widget.Span
	next, scroll, gap := t.Words.T("next currency"), t.Words.T("scroll"), "  "
	if w < 50 {
		next, scroll, gap = t.Words.T("next"), t.Words.T("more"), " "
	}
	hint := func(key, text string) {
		spans = append(spans, widget.Span{Style: t.Key, Text: " " + key}, widget.Span{Style: t.KeyText, Text: " " + text + gap[1:]})
	}
	if a.Trust == wallets.TrustChanged {
		hint(addressTrust, t.Words.T("trust"))
	} else {
		hint(addressCopy, t.Words.T("copy"))
	}
	if n > 1 {
		hint("tab", next)
	}
	if scrolls {
		hint("↑↓", scroll)
	}
	if w >= 50 && d.checks(a, 0) {
		hint("0-9", t.Words.T("check an amount"))
	}
	if d.amount.Value() != "" {
		hint("esc", t.Words.T("clear"))
	} else {
		hint("esc", t.Words.T("back"))
	}
	if t.Mono && a.Trust != wallets.TrustChanged && !scrolls {
		hint(addressInvert, t.Words.T("invert"))
	}
	return widget.Spans(w, spans...)
}

// beside is the room that text needs beside a QR code, in cells.
const beside = 34

// body draws the address in words, with a QR code beside or below where there
// is room.
func (d *Address) body(a wallets.Address, w, h int) []string {
	if a.Trust == wallets.TrustChanged {
		return d.changed(a, w)
	}
	if d.store.Privacy.Display().Private() {
		return dialog.Paragraph(w, d.theme.Muted, d.theme.Words.T("private: y copies the address, P shows it"))
	}
	code, cells, err := widget.QR(string(a.Address), d.ink())
	words := d.words(a, w)
	switch {
	case err != nil:
		return append(words, dialog.Paragraph(w, d.theme.Muted, d.theme.Words.T("the address is too long for a QR code"))...)
	case len(code) <= h && w >= cells+beside:
		side := d.words(a, w-cells-1)
		n := max(len(code), len(side))
		return widget.JoinHorizontal(widget.FitBlock(code, cells, n), widget.Blank(1, n), widget.FitBlock(side, w-cells-1, n))
	case len(code)+len(words) <= h && w >= cells:
		return append(widget.FitBlock(code, w, len(code)), words...)
	}
	return append(words, dialog.Paragraph(w, d.theme.Muted, d.theme.Words.T("enlarge the window for a QR code"))...)
}

// ink suits the background of the QR code.
func (d *Address) ink() widget.QRInk {
	switch {
	case !d.theme.Mono:
		return widget.QRColors
	case d.theme.Dark != d.inverted:
		return widget.QROnDark
	}
	return widget.QROnLight
}

// words draws the warnings and the address. The warning comes first: it is
// visible without scrolling on the smallest screen.
func (d *Address) words(a wallets.Address, w int) []string {
	t, name := d.theme, strings.ToUpper(string(a.Currency))
	network := string(a.Network)
	switch {
	case network == "":
		network = t.Words.T("not reported: ask the service before you send")
	case strings.EqualFold(network, "erc-20"):
		network += t.Words.T(", not TRC-20, BEP-20 or Solana")
	}
	lines := dialog.Paragraph(w, t.Warn, warning(t.Words, a))
	lines = append(lines, dialog.Paragraph(w, t.Strong, widget.Group(string(a.Address), 4))...)
	lines = append(lines, widget.Spans(w))
	lines = append(lines, dialog.Paragraph(w, t.Text, t.Words.T("network")+"  "+network)...)
	if a.Min != "" {
		lines = append(lines, dialog.Paragraph(w, t.Text, t.Words.Tf("at least %s: less may be lost", string(a.Min)+" "+name))...)
	}
	lines = append(lines, widget.Spans(w))
	return append(lines, d.seen(a, w)...)
}

// warning says what a wrong network or coin costs.
func warning(w *lang.Words, a wallets.Address) string {
	name, network := strings.ToUpper(string(a.Currency)), string(a.Network)
	if network == "" {
		return w.Tf("Send only %s, only over its own network. Anything else is lost.", name)
	}
	return w.Tf("Send only %s, only over the %s network. Anything else is lost.", name, network)
}

// seen compares the address with the one seen before.
func (d *Address) seen(a wallets.Address, w int) []string {
	t := d.theme
	switch a.Trust {
	case wallets.TrustSame:
		return dialog.Paragraph(w, t.Good, t.Glyphs.Check+" "+t.Words.Tf("unchanged since %s", t.Words.Time(a.Since.Local(), time.DateOnly)))
	case wallets.TrustNew:
		return dialog.Paragraph(w, t.Info, t.Words.T("first seen here: compare it with the service's own page once"))
	default:
	}
	why := t.Words.T("the addresses seen before cannot be read")
	if err := d.store.Wallets.AddressesErr(); err != nil {
		why = err.Error()
	}
	return dialog.Paragraph(w, t.Warn, t.Words.Tf("compare it with the service's own page: %s", why))
}

// changed warns of an address that differs from the one seen before.
func (d *Address) changed(a wallets.Address, w int) []string {
	t := d.theme
	lines := []string{
		widget.Spans(w),
		widget.Spans(w, widget.Span{Style: t.BadgeBad, Text: " " + t.Words.T("STOP: THE ADDRESS HAS CHANGED") + " "}),
		widget.Spans(w),
	}
	place := func(name string, p wallets.Pin) {
		lines = append(lines, dialog.FactLines(t, w, name, t.Text, t.Words.Tf("%s on %s", d.store.Privacy.Display().Text(widget.Group(string(p.Address), 4)), p.Network))...)
	}
	place(t.Words.T("before"), a.Before)
	place(t.Words.T("now"), a.Pin)
	lines = append(lines, widget.Spans(w))
	lines = append(lines, dialog.Paragraph(w, t.Bad, t.Words.T("Send nothing yet. An attacker with access to the API or the connection could have replaced it."))...)
	return append(lines, dialog.Paragraph(w, t.Text, t.Words.Tf("Compare it with the service's own page. The previous one is known since %s.",
		t.Words.Time(a.Before.Since.Local(), time.DateOnly)))...)
}
