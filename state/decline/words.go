package decline

import (
	"regexp"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// What the API says is an identifier or a sentence. Either counts only when all of its words
// can mean one cause alone: "not terminated", "merchant suspended" and "daily limit" share
// words with causes and mean others.

// sense is what a text says.
type sense struct {
	cause Cause
	// limit reports whether it speaks of a limit and not of which.
	limit bool
}

// senseOf returns what a text says: Unknown for one that says nothing, Other for the API's own
// words.
func senseOf(text api.Text) sense {
	var out sense
	for _, part := range strings.FieldsFunc(strings.ToLower(hump.ReplaceAllString(string(text), "$1 $2")), func(r rune) bool { return strings.ContainsRune(":;.!|/\n", r) }) {
		s := senseOfPart(content(part))
		switch {
		case s == sense{} || s == out:
		case out == sense{}:
			out = s
		default:
			return sense{cause: Other}
		}
	}
	return out
}

// hump is between two words of an identifier that are told apart by a capital.
var hump = regexp.MustCompile(`([a-z])([A-Z])`)

// content is the words of a text in lower case, single spaces between them, without those
// that tell nothing.
func content(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r < 0x80
	})
	line := " " + strings.Join(words, " ") + " "
	for _, spelled := range []string{" 3 d secure ", " 3d secure ", " three d secure ", " 3 ds ", " 3ds2 ", " 3ds 2 ", " 3ds 2 0 "} {
		line = strings.ReplaceAll(line, spelled, " 3ds ")
	}
	kept := words[:0]
	for _, word := range strings.Fields(line) {
		if !isFiller(word) && !isCode(word) {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// isCode reports whether a word is a response code of two digits, such as 51.
func isCode(word string) bool {
	return len(word) == 2 && strings.Trim(word, "0123456789") == ""
}

func isFiller(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "its", "it", "your", "is", "was", "were", "has", "have", "had", "been", "be",
		"of", "on", "by", "to", "for", "at", "in", "with", "due", "because", "currently", "please", "sorry", "error", "err", "code", "reason", "message",
		"transaction", "txn", "purchase", "payment", "authorization", "authorisation", "request", "attempt", "decline", "declined", "denied", "rejected", "refused", "failed", "failure":
		return true
	}
	return false
}

// senseOfPart returns what some words say, as content leaves them.
func senseOfPart(words string) sense {
	switch words {
	case "", "card", "generic", "general", "unknown", "other", "none", "null", "n a", "na", "undefined", "unspecified", "issuer", "issuing bank", "bank", "card issuer",
		"do not honor", "do not honour", "not honored", "not honoured", "not approved", "not authorized", "not authorised", "unauthorized":
		return sense{}
	case "card terminated", "terminated card", "card closed", "closed card", "card permanently closed", "card cancelled", "card canceled", "cancelled card", "canceled card":
		return sense{cause: Terminated}
	case "card frozen", "frozen card", "card temporarily frozen", "card suspended", "suspended card", "card temporarily suspended", "card paused", "paused card":
		return sense{cause: Frozen}
	case "card expired", "expired card", "card already expired", "card no longer valid expired":
		return sense{cause: Expired}
	case "limit", "limit exceeded", "limit reached", "exceeds limit", "over limit", "above limit", "amount limit exceeded", "card limit exceeded", "card limit reached", "amount exceeds limit", "exceeds card limit":
		return sense{cause: Other, limit: true}
	case "monthly limit", "spending limit", "monthly spending limit", "monthly limit exceeded", "monthly limit reached", "exceeds monthly limit", "over monthly limit", "spending limit exceeded", "spending limit reached",
		"exceeds spending limit", "over spending limit", "spend limit exceeded", "spend limit reached", "monthly spending limit exceeded", "monthly spending limit reached",
		"exceeds monthly spending limit", "card spending limit exceeded", "card spending limit reached", "card monthly limit exceeded", "card monthly limit reached":
		return sense{cause: MonthlyLimit}
	case "bin limit", "bin maximum", "bin limit exceeded", "bin maximum exceeded", "exceeds bin limit", "exceeds bin maximum", "over bin limit", "over bin maximum", "amount exceeds bin maximum", "amount exceeds bin limit",
		"maximum amount exceeded", "exceeds maximum amount", "amount exceeds maximum", "single limit exceeded", "per limit exceeded", "exceeds single limit", "exceeds per limit":
		return sense{cause: BINMaximum}
	case "insufficient funds", "insufficient fund", "insufficient balance", "insufficient card balance", "insufficient available balance", "insufficient card funds", "insufficient available funds",
		"funds insufficient", "balance insufficient", "not sufficient funds", "not sufficient balance", "not enough funds", "not enough balance", "not enough money",
		"insufficient funds card", "insufficient balance card", "not enough funds card", "not enough balance card", "not enough money card",
		"balance too low", "card balance too low", "low balance", "low card balance", "nsf":
		return sense{cause: Balance}
	case "3ds", "3ds expired", "3ds challenge expired", "3ds challenge", "3ds timeout", "3ds timed out", "3ds challenge timed out", "3ds challenge timeout", "3ds authentication",
		"3ds authentication expired", "3ds authentication timed out", "3ds not completed", "3ds not answered", "3ds challenge not completed", "3ds challenge not answered", "3ds authentication not completed",
		"3ds abandoned", "3ds challenge abandoned", "challenge expired", "challenge not completed", "challenge not answered", "challenge timed out", "otp expired", "otp not entered":
		return sense{cause: Challenge}
	}
	if isCategory(words) {
		return sense{cause: Category}
	}
	return sense{cause: Other}
}

// isCategory reports whether words say that the category of the merchant is not allowed.
func isCategory(words string) bool {
	for _, subject := range []string{"merchant category", "category", "merchant mcc", "mcc", "merchant type"} {
		for _, verdict := range []string{"not allowed", "not permitted", "not whitelisted", "not allowlist", "not whitelist", "not allowlisted", "disallowed", "blocked", "restricted", "forbidden", "not allowed card", "not permitted card", "blocked card"} {
			if words == subject+" "+verdict || words == verdict+" "+subject {
				return true
			}
		}
	}
	return false
}
