// Package redact masks what looks like a secret in text that is about to be
// written down: API keys, bearer tokens, webhook signing secrets, values named
// as secrets, and digit runs that hold a card number.
//
// It is the last line of defence, behind types that cannot be printed. It
// masks too much rather than too little and accepts any input.
package redact

import (
	"regexp"
	"strings"
)

// Mask is what stands in place of a secret.
const Mask = "[redacted]"

// valueRune is a character that a key or token may hold: anything but space
// and the punctuation that ends a value in text, JSON or a URL.
const valueRune = "[^\\s\"'`,;&<>(){}\\[\\]|]"

// Redactor masks secrets in text. The zero value masks nothing: use New.
type Redactor struct {
	rules []rule
	runs  *regexp.Regexp
}

type rule struct {
	needs   string // A text with none of these characters has no such secret.
	pattern *regexp.Regexp
	replace string
}

// New returns a Redactor with every rule. It is safe for use by several
// goroutines.
func New() *Redactor {
	return &Redactor{
		rules: []rule{
			{" \t:=", regexp.MustCompile(`(?i)\b(bearer)[ \t:=]+` + valueRune + `+`), "${1} " + Mask},
			{"_", regexp.MustCompile(`(?i)sk_(live|test)_` + valueRune + `*`), "sk_${1}_" + Mask},
			{"_-", regexp.MustCompile(`(?i)\bwh(?:ook)?sec(?:ret)?[_-]` + valueRune + `+`), Mask},
			{":=", named(), "${1}" + Mask},
		},
		// One separator between digits is how people and forms group them.
		runs: regexp.MustCompile(`[0-9](?:[ \t\x{00a0}\x{2010}-\x{2015}-]?[0-9]){12,}`),
	}
}

// named finds values that are too short to be recognised by their shape and
// are given away by their name, as in "cvv":"123" or otp=482913.
func named() *regexp.Regexp {
	const names = `cvv2?|cvc2?|otp|pan|api_?key|secret|token|password|card_?number`
	return regexp.MustCompile(`(?i)(\b(?:` + names + `)["']?[ \t]*[:=][ \t]*["']?)` + valueRune + `+`)
}

// Text returns s with every secret masked.
func (r *Redactor) Text(s string) string {
	for _, rule := range r.rules {
		if !strings.ContainsAny(s, rule.needs) {
			continue
		}
		s = rule.pattern.ReplaceAllString(s, rule.replace)
	}
	if r.runs == nil || len(s) < minPAN {
		return s
	}
	return r.runs.ReplaceAllStringFunc(s, func(run string) string {
		if holdsPAN(run) {
			return Mask
		}
		return run
	})
}

// Number lengths of the card networks (ISO/IEC 7812-1).
const minPAN, maxPAN = 13, 19

// holdsPAN reports whether any 13 to 19 digits in a row of the run pass the Luhn
// check. Windows inside a longer run count, because a number may be written
// next to its expiry or its CVV.
func holdsPAN(run string) bool {
	digits := make([]byte, 0, len(run))
	for i := range len(run) {
		if c := run[i]; c >= '0' && c <= '9' {
			digits = append(digits, c-'0')
		}
	}
	for start := range digits {
		for length := minPAN; length <= maxPAN && start+length <= len(digits); length++ {
			if luhn(digits[start : start+length]) {
				return true
			}
		}
	}
	return false
}

// luhn is the check of ISO/IEC 7812-1 annex B. All zeros pass it and are no
// card number.
func luhn(digits []byte) bool {
	sum, zeros := 0, true
	for i, d := range digits {
		zeros = zeros && d == 0
		n := int(d)
		if (len(digits)-i)%2 == 0 {
			n *= 2
			if n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0 && !zeros
}
