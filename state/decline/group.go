package decline

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Group are declines of one cause.
type Group struct {
	// Key names the group among others of its time.
	Key string
	// Answer is that of the latest of them.
	Answer Answer
	// IDs are the transactions, the newest first.
	IDs []api.TransactionID
	// Sum is what was asked for in USD, Foreign counts those in other currencies.
	Sum     api.USD
	Foreign int
	// Likely counts those whose cause is a guess.
	Likely int
	// Unread counts those whose details were not read and may state another cause.
	Unread int
	// Cards are those that were declined, the latest first.
	Cards []api.CardID
	Last  time.Time
}

// groupKey is what the declines of a group have in common. What the API said makes a group where
// that is all there is.
type groupKey struct {
	cause Cause
	said  api.Text
}

func keyOf(a *Answer) groupKey {
	k := groupKey{cause: a.Cause}
	if a.Cause == Other {
		k.said = a.Said
	}
	return k
}

func (k groupKey) String() string { return fmt.Sprint(uint8(k.cause), k.said) }

// Words is the cause as it may be worded: guesses are called that.
func (g *Group) Words(w *lang.Words) string {
	name := g.Answer.name(w)
	switch g.Likely {
	case 0:
		return name
	case len(g.IDs):
		return w.Tf("likely %s", name)
	}
	return name + w.Tf(", %d of %d likely", g.Likely, len(g.IDs))
}

// Groups groups the declines since a time by cause, the most first, those of unknown cause last.
func (l *Log) Groups(since time.Time) []Group {
	var groups []Group
	at := make(map[groupKey]int)
	type member struct {
		group int
		card  api.CardID
	}
	seen := make(map[member]bool)
	for e := range l.Since(since) {
		k := keyOf(&e.Answer)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, Group{Key: k.String(), Answer: e.Answer, Last: e.Row.CreatedAt})
		}
		if m := (member{i, e.Row.CardID}); !seen[m] {
			seen[m] = true
			groups[i].Cards = append(groups[i].Cards, m.card)
		}
		groups[i].add(e)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(unknown(&a), unknown(&b)), cmp.Compare(len(b.IDs), len(a.IDs)), b.Last.Compare(a.Last), cmp.Compare(a.Key, b.Key),
		)
	})
	return groups
}

func unknown(g *Group) int {
	if g.Answer.Cause == Unknown {
		return 1
	}
	return 0
}

// add adds the next decline, an older one.
func (g *Group) add(e *Explained) {
	t := &e.Row
	g.IDs = append(g.IDs, t.ID)
	g.Sum += max(t.Amount, -t.Amount)
	if !t.InUSD() {
		g.Foreign++
	}
	if e.Unread() {
		g.Unread++
	}
	if e.Answer.Confidence == Likely {
		g.Likely++
	}
}

// near is how many tries before and after one are looked at for their cause.
const near = 50

// FromStorm explains a decline of unknown cause by another one of its storm: the same card and
// merchant, minutes apart, unless what is known of this one excludes that. A cause that depends on the amount explains
// tries of the same amount only, and a code of one try says nothing of another.
// ok is false when the cause of none near it is known.
func (l *Log) FromStorm(w *lang.Words, id api.TransactionID, f *Facts) (a Answer, ok bool) {
	storm, of := l.storms[id], l.known[id]
	if storm == nil || of == nil {
		return Answer{}, false
	}
	own := f.findings(w)
	at, _ := slices.BinarySearchFunc(storm.Tries, of.Row.CreatedAt, func(t Try, at time.Time) int { return t.At.Compare(at) })
	for _, t := range slices.Backward(storm.Tries[max(0, at-near):min(len(storm.Tries), at+near)]) {
		e := l.known[t.ID]
		if t.ID == id || e == nil || e.Answer.Confidence < Certain || e.Answer.Cause == Challenge {
			continue
		}
		a = e.Answer
		ok = !slices.ContainsFunc(own, func(o finding) bool { return o.cause == a.Cause && o.verdict == excluded })
		same := e.Row.Sent() == of.Row.Sent() && e.Row.Currency == of.Row.Currency
		switch a.Cause { //nolint:exhaustive // the others do not depend on the amount
		case Balance: // One that covers the amount may be too low for holds; more than then may not.
			ok = same && (e.Row.BalanceAfter == nil || of.Row.BalanceAfter == nil || *of.Row.BalanceAfter <= *e.Row.BalanceAfter)
		case BINMaximum:
			ok = ok && same
		case MonthlyLimit: // It may have been raised between them.
			ok = ok && same && !f.Updated.After(e.Row.CreatedAt)
		}
		if ok {
			a.Confidence, a.Evidence = Likely, w.Tf("as at another try: %s", a.Evidence)
			return a, true
		}
	}
	return Answer{}, false
}

// Rate returns declines per attempt in percent; false when there was no attempt.
func Rate(declined, attempts int) (percent float64, ok bool) {
	if attempts <= 0 {
		return 0, false
	}
	return 100 * float64(declined) / float64(attempts), true
}

// Reached reports whether a rate has come to a line, in percent.
func Reached(declined, attempts, line int) bool {
	return attempts > 0 && 100*declined >= line*attempts
}

// MoreTo returns how many more declines in a row reach a line (percent); 0 when it is
// reached, false when no number does.
func MoreTo(declined, attempts, line int) (n int, ok bool) {
	switch {
	case Reached(declined, attempts, line):
		return 0, true
	case line > 100, line == 100 && declined < attempts:
		return 0, false
	case line >= 100 || line <= 0:
		return 1, true
	}
	// The least n with 100 (declined + n) >= line (attempts + n).
	need := line*attempts - 100*declined
	return max(1, (need+99-line)/(100-line)), true
}

// Reaches returns how many of some lines (percent, ascending) a rate has come to.
func Reaches(declined, attempts int, lines []int) (n int) {
	for n < len(lines) && Reached(declined, attempts, lines[n]) {
		n++
	}
	return n
}

// ToNext returns how many more declines in a row reach the next of some lines (percent,
// ascending), and that line; false when they are all reached, when no number does, and for a rate
// of fewer attempts than from, which reaches none.
func ToNext(declined, attempts, from int, lines []int) (n, line int, ok bool) {
	at := Reaches(declined, attempts, lines)
	if attempts == 0 || attempts < from || at == len(lines) {
		return 0, 0, false
	}
	n, ok = MoreTo(declined, attempts, lines[at])
	return n, lines[at], ok
}

// Next says how near the alert is that a rate raises; empty without lines, and where nothing was
// tried. A rate of fewer attempts than from raises none.
func Next(w *lang.Words, declined, attempts, from int, lines []int) string {
	if attempts == 0 || len(lines) == 0 {
		return ""
	}
	if attempts < from {
		return w.Tf("from %d payments on", from)
	}
	at := Reaches(declined, attempts, lines)
	n, line, more := ToNext(declined, attempts, from, lines)
	switch {
	case at > 0 && more && n == 1:
		return w.Tf("past %d %%, 1 decline to %d %%", lines[at-1], line)
	case at > 0 && more:
		return w.Tf("past %d %%, %d declines to %d %%", lines[at-1], n, line)
	case at > 0:
		return w.Tf("past %d %%", lines[at-1])
	case !more:
		return ""
	case n == 1:
		return w.Tf("1 more decline reaches %d %%", line)
	}
	return w.Tf("%d more declines reach %d %%", n, line)
}

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
