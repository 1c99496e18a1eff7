package widget

import (
	"fmt"
	"strings"
	"unicode"
)

// maxWhole bounds the digits before the dot, far below what cents in an
// int64 hold.
const maxWhole = 9

// maxAmount bounds what is kept of an amount, in code points.
const maxAmount = 24

// Amount is a field for an amount with at most two decimals. What is typed
// stays, also what is no amount: then the field says why and has no value. An
// amount is never guessed from the keys that happened to fit.
type Amount struct {
	in       Input
	decimals int // at most
}

// The decimals that amounts have: a dollar's and, at most, a coin's.
const (
	centDecimals = 2
	coinDecimals = 18
)

// maxCoin bounds what is kept of an amount in a coin's unit, in code points.
const maxCoin = maxWhole + 1 + coinDecimals + 2

// NewCoins returns an empty field for an amount in the unit of a coin, which
// has more decimals than a dollar and no cents.
func NewCoins(styles InputStyles) *Amount {
	return &Amount{in: Input{Limit: maxCoin, Styles: styles}, decimals: coinDecimals}
}

// NewAmount returns an empty field.
func NewAmount(styles InputStyles) *Amount {
	return &Amount{in: Input{Placeholder: "0.00", Limit: maxAmount, Styles: styles}, decimals: centDecimals}
}

// Value returns the text as it was typed.
func (a *Amount) Value() string { return a.in.Value() }

// SetValue replaces the text.
func (a *Amount) SetValue(s string) { a.in.SetValue(s) }

// Select selects all of the text as Input.Select does.
func (a *Amount) Select() { a.in.Select() }

// SetStyles replaces the styles.
func (a *Amount) SetStyles(s InputStyles) { a.in.Styles = s }

// SetPlaceholder replaces the text shown while nothing is typed.
func (a *Amount) SetPlaceholder(s string) { a.in.Placeholder = s }

// Err returns why the text is no amount, or what SetErr said.
func (a *Amount) Err() string {
	if problem := a.in.Styles.amountProblem(a.in.value, a.decimals); problem != "" {
		return problem
	}
	return a.in.Err()
}

// SetErr shows a text on the error line until the value changes.
func (a *Amount) SetErr(text string) { a.in.SetErr(text) }

// Cents returns the amount in cents, false while there is none: nothing
// typed, a dot alone, or what Err complains of.
func (a *Amount) Cents() (int64, bool) { return parseCents(a.in.Value()) }

// Key handles an editing key or typed text as Input.Key does.
func (a *Amount) Key(key, text string) bool { return a.in.Key(key, text) }

// Paste inserts a pasted amount; blanks around it are dropped.
func (a *Amount) Paste(text string) { a.in.Insert(strings.TrimSpace(text)) }

// View draws the field in exactly w cells.
func (a *Amount) View(w int, focused bool) string { return a.in.View(w, focused) }

// ViewErr draws the error line in exactly w cells.
func (a *Amount) ViewErr(w int) string {
	shown := a.in
	shown.err = a.Err()
	return shown.ViewErr(w)
}

// amountProblem says why s is not the start of an amount, "" when it is.
func (st InputStyles) amountProblem(s string, most int) string {
	if most == centDecimals {
		s = unprinted(s)
	}
	for _, r := range s {
		if problem := st.runeProblem(r); problem != "" {
			return problem
		}
	}
	whole, decimals, dotted := strings.Cut(s, ".")
	switch {
	case strings.Contains(decimals, "."):
		return st.T("more than one dot")
	case dotted && len(decimals) > most && most == centDecimals:
		return st.T("more than two decimals")
	case dotted && len(decimals) > most:
		return fmt.Sprintf(st.T("more than %d decimals"), most)
	case len(whole) > maxWhole:
		return st.T("too long: nine digits before the dot is the most")
	}
	return ""
}

func (st InputStyles) runeProblem(r rune) string {
	switch {
	case r >= '0' && r <= '9' || r == '.':
		return ""
	case strings.ContainsRune(",٫，", r):
		return st.T("comma: the decimals follow a dot, as in 1250.00")
	case strings.ContainsRune("-−–", r):
		return st.T("minus: the amount has no sign")
	case r == '+':
		return st.T("plus: the amount has no sign")
	case strings.ContainsRune(" \u00a0\u202f_'’", r):
		return st.T("digits are not grouped, as in 1250.00")
	case unicode.Is(unicode.Sc, r):
		return st.T("no currency sign: digits and one dot")
	case r == 'e' || r == 'E':
		return st.T("no exponent: digits and one dot")
	}
	return st.T("digits and one dot, as in 1250.00")
}

// blanksOfScreens are what screens print between thousands and before a currency sign.
const blanksOfScreens = " \u00a0\u202f"

// unprinted returns an amount in dollars without what screens of any language print in it: a currency sign, blanks or,
// before a dot, commas between thousands, and a comma instead of the dot when at most two digits follow. What could
// be read as another amount stays as it is, which is none.
func unprinted(s string) string {
	s = strings.Trim(s, blanksOfScreens)
	s = strings.TrimPrefix(s, "$")
	s = strings.Trim(strings.TrimSuffix(s, "$"), blanksOfScreens)
	whole, decimals, thousands := s, "", blanksOfScreens
	if at := strings.LastIndexByte(s, ','); at >= 0 && len(s)-at-1 <= centDecimals {
		whole, decimals = s[:at], "."+s[at+1:]
	}
	if at := strings.IndexByte(s, '.'); at >= 0 {
		whole, decimals, thousands = s[:at], s[at:], thousands+","
	}
	for _, by := range thousands {
		groups := strings.Split(whole, string(by))
		if len(groups) > 1 && grouped(groups) {
			whole = strings.Join(groups, "")
			break
		}
	}
	return whole + decimals
}

// grouped reports whether digits stand in threes, the first of them in at most three.
func grouped(groups []string) bool {
	for i, g := range groups {
		if g == "" || len(g) > 3 || i > 0 && len(g) < 3 || strings.Trim(g, "0123456789") != "" {
			return false
		}
	}
	return true
}

// parseCents returns the cents of digits with at most two decimals.
func parseCents(s string) (int64, bool) {
	if (InputStyles{}).amountProblem(s, centDecimals) != "" || strings.Trim(unprinted(s), ".") == "" {
		return 0, false
	}
	whole, decimals, _ := strings.Cut(unprinted(s), ".")
	var cents int64
	for _, c := range []byte(whole + (decimals + "00")[:2]) {
		cents = cents*10 + int64(c-'0')
	}
	return cents, true
}
