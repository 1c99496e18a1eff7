// Package judge judges what programs did to an account in a simulated world. It knows what the provider's books
// say, what people asked for, and what people read. It imports nothing of the program: what it judges by is its own
// reading of the contract and of the promises in docs.
//
// Amounts are cents of a USD, times virtual.
package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Books are what the provider has on an account at a moment.
type Books struct {
	Wallet int64
	Cards  map[string]Card // By id.
}

// Card is a card in the books.
type Card struct {
	Cents  int64
	Status string
	Label  string
	Last4  string
}

// Asked is one run of a program, by a person or a script.
type Asked struct {
	From, To time.Time
	Who      string
	Line     string   // The command line.
	Verb     string   // fund, withdraw, freeze, unfreeze, Toggle; empty for reads.
	Cards    []string // Each of which is asked for.
	Cents    int64    // Of each card.
	Key      string   // The idempotency key that was given; empty for the program's own.
	Many     bool     // Each card's key is derived from Key.
	// Acted reports whether the provider did what was asked, under Key, while the program ran.
	Acted  bool
	Exit   int
	Killed bool
	// Screen reports whether it was asked for at a dashboard: there is no exit code.
	Screen bool
	// Session is that of an assistant, which may move Most in all, cents; empty for none.
	Session string
	Most    int64
	// Level is the balance that each card is brought to, cents; 0 where Cents are moved.
	Level int64
	// Part reports whether who asks sees a part of the cards alone. Role is theirs at a hub; empty without one.
	Part bool
	Role string
	// Forbidden reports whether the line itself forbids what it asks for.
	Forbidden bool
	// Fair reports whether the provider answered all along, and money and caps allow it: nothing true refuses it.
	Fair      bool
	Out, Errs string
}

// Act is what the provider did.
type Act struct {
	At    time.Time
	Verb  string
	Card  string
	Cents int64
	Left  int64 // What the card had then.
	// Frozen reports whether the card was frozen then.
	Frozen bool
	Key    string
}

// Label is what a card was called from a moment on.
type Label struct {
	At    time.Time
	Card  string
	Label string
}

// Listed is a list that says that it is whole.
type Listed struct {
	From, To time.Time
	IDs      []string
	// Some reports whether it has some of the cards: those that something happened to.
	Some   bool
	Active bool // It is of active cards.
	Part   bool // It is for somebody who sees a part of the cards.
}

// Told is a line of the history that a program shows.
type Told struct {
	At      time.Time
	Key     string
	Action  string
	Card    string
	Cents   int64
	Outcome string
	Rule    string // The rule that acted; empty for a person.
	By      string // The person, in the history of a hub.
	Machine string
}

// Charge is what a merchant was paid with a card.
type Charge struct {
	At    time.Time
	Card  string
	Cents int64 // By which its balance fell; negative for a refund.
	Left  int64 // What the card had then.
	// Frozen reports whether the card was frozen then.
	Frozen bool
	// Foreign reports whether it was in another currency: reports of USD have it in no sum.
	Foreign bool
}

// Spent is a report of what was spent since before the first charge.
type Spent struct {
	From, To time.Time // When it was asked for.
	Cents    int64
}

// Lasts is how long a screen says that the money lasts: soon after its start, and later.
type Lasts struct {
	At          time.Time
	Soon, Later time.Duration
	Screen      string
}

// Typed is a key at a screen.
type Typed struct {
	At  time.Time
	Who string
	Key string
}

// Seen is what a screen showed.
type Seen struct {
	At     time.Time
	Wallet int64
	Place  string // On the screen.
	Marked bool   // As old, estimated or incomplete.
	Screen string
}

// Limited is a screen that says that the limit of requests is used up, or nearly.
type Limited struct {
	At       time.Time
	Requests int // Of all programs, in the hour before.
	Screen   string
}

// Code is a code that a person waited for at a screen.
type Code struct {
	At   time.Time
	Card string
	// Seen reports whether it was on the screen in time, Copied whether it was what the key for the newest copied.
	Seen, Copied bool
	Hidden       bool // The person may not see its card.
	Screen       string
}

// Run is all that is judged.
type Run struct {
	Before, After Books
	// Acted is when the provider did a write first, by its idempotency key.
	Acted map[string]time.Time
	// Acts are all of them, in their order.
	Acts []Act
	// Hubs are the machines of the hubs that all others write through. The keys of its history are those
	// that the provider knows, and caps are kept there.
	Hubs    []string
	Asked   []Asked
	History []Told
	// Open are the keys of operations that are listed as open, an hour after the world became healthy.
	Open []string
	// MaxDay is the cap on what moves to cards within 24 hours; 0 for none.
	MaxDay int64
	// RuleDay is the cap of the rule, of a machine.
	RuleDay int64
	// Scope is the beginning of the labels of the cards that somebody with a part of them sees.
	Scope string
	// Approved are what leads approved, at the moment before they said so.
	Approved []Act
	// Labels are those that cards were given at the provider's pages, in their order.
	Labels []Label
	// Others are cards that are frozen and unfrozen at the provider's pages.
	Others map[string]bool
	// Misread are the cards whose status or label an answer had otherwise.
	Misread map[string]bool
	// Mistold is when an answer had the type, currency or amount of something otherwise first; zero for never.
	Mistold time.Time
	// Capped are the cards whose labels have a cap of their own, LabelDay, within 24 hours.
	Capped   map[string]bool
	LabelDay int64
	Listed   []Listed
	// Low is the wallet below which programs alert, and Alerts the programs that print alerts.
	Low    int64
	Alerts []Alerted
	// Health is when requests come to harm and when not, in order. The first are healthy.
	Health []Health
	// Wallets are the balances of the wallet from each write on.
	Wallets []Balance
	// Held are balances of cards, and Notices what dashboards show of writes, while the provider answered.
	Held    []Held
	Notices []Notice
	// Charges are what merchants were paid, in their order, and Reports what was told of them.
	Charges []Charge
	Reports []Spent
	// Lasts are looks at a screen while nothing was spent.
	Lasts []Lasts
	// Theirs are what another account of the same provider did, AskedThere what it was asked for with its own key.
	Theirs, AskedThere []Act
	// Typed are the keys that people typed at screens. They are not judged, but tell what happened.
	Typed []Typed
	// Seen are looks at a screen while the provider answered, and had for two minutes.
	Seen []Seen
	// Limited are looks at a screen that says it is limited, while nothing had come to harm for ten minutes.
	Limited []Limited
	Pressed []Pressed
	// Codes are checkouts at a screen while the provider answered.
	Codes []Code
	// Crashes are programs that ended, or that could not be ended.
	Crashes []string
	// Shown is the wallet's balance as the program shows it at the end.
	Shown int64
	// Secrets are the places where a secret was found that has no business there.
	Secrets []string
}

// Judge returns what is wrong, a sentence each; none when all promises were kept.
func Judge(r *Run) []string {
	var found []string
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	history := r.History
	if len(r.Hubs) > 0 {
		history = slices.DeleteFunc(slices.Clone(history), func(t Told) bool { return !slices.Contains(r.Hubs, t.Machine) })
	}
	last := outcomes(history)
	r.forgiveMistaken(last, history)
	r.actsOnce(last, add)
	r.actsAsTold(last, add)
	r.freezesAsTold(last, add)
	r.toldTruly(add)
	r.refusesForbidden(add)
	r.keepsCaps("the cap", r.MaxDay, last, func(Told) bool { return true }, add)
	r.keepsCaps("the cap of its labels", r.LabelDay, last, func(t Told) bool { return r.Capped[t.Card] }, add)
	for _, name := range machines(history) {
		r.keepsCaps("the rule's cap", r.RuleDay, last, func(t Told) bool { return t.Rule != "" && t.Machine == name }, add)
	}
	r.keepsRule(last, add)
	r.ruleActs(last, add)
	r.freezesWhatIsAsked(add)
	r.namesPeople(last, add)
	r.freezesTruly(add)
	r.keepsSessions(add)
	r.refusesTruly(add)
	r.listsWhole(add)
	r.keepsLevels(add)
	r.keepsScopes(add)
	r.keepsRoles(add)
	r.showsTheBooks(add)
	r.limitsTruly(add)
	r.showsBalances(add)
	r.showsOutcomes(add)
	r.showsCodes(add)
	r.doesWhatKeysSay(add)
	r.alertsOnce(add)
	r.reportsTheBooks(add)
	r.lastsAsLong(add)
	r.watchesToTheEnd(add)
	r.leavesOthersAlone(add)
	for _, c := range r.Crashes {
		add("%s", c)
	}
	if r.Shown != r.After.Wallet {
		add("the wallet is shown as %s, the books have %s", dollars(r.Shown), dollars(r.After.Wallet))
	}
	for _, key := range r.Open {
		add("%s stays unconfirmed although the provider answers for an hour", key)
	}
	for _, s := range r.Secrets {
		add("a secret is in %s", s)
	}
	return found
}

// outcomes are the last that was told of each key.
func outcomes(history []Told) map[string]Told {
	last := make(map[string]Told)
	for _, t := range history {
		if before, ok := last[t.Key]; !ok || !t.At.Before(before.At) {
			last[t.Key] = t
		}
	}
	return last
}

// forgiveMistaken takes as not done what a person settled as done because another program had done the same to the card
// meanwhile: a balance is all that shows what became of a request, and it is told as what it seems to be.
func (r *Run) forgiveMistaken(last map[string]Told, history []Told) {
	for key, t := range last {
		if _, acted := r.Acted[key]; acted || t.Outcome != "judged-done" {
			continue
		}
		began := t.At
		for _, h := range history {
			if h.Key == key && h.At.Before(began) {
				began = h.At
			}
		}
		if slices.ContainsFunc(r.Acts, func(a Act) bool {
			return a.Key != key && a.Verb == t.Action && a.Card == t.Card && a.Cents == t.Cents && a.At.After(began) && a.At.Before(t.At)
		}) {
			t.Outcome = "judged-not-done"
			last[key] = t
		}
	}
}

func machines(history []Told) []string {
	var all []string
	for _, t := range history {
		if !slices.Contains(all, t.Machine) {
			all = append(all, t.Machine)
		}
	}
	return all
}

func done(t Told) bool { return t.Outcome == "done" || t.Outcome == "judged-done" }

// sign is by what an action changes the balance of a card.
func sign(action string) int64 {
	switch action {
	case "fund":
		return 1
	case "withdraw":
		return -1
	}
	return 0
}

// actsOnce holds that the books changed by what is told as done, and by nothing that nobody asked for.
func (r *Run) actsOnce(last map[string]Told, add func(string, ...any)) {
	moved, wallet := make(map[string]int64), int64(0)
	times := make(map[string]int)
	for _, t := range last {
		if done(t) && sign(t.Action) != 0 {
			moved[t.Card] += sign(t.Action) * t.Cents
			wallet -= sign(t.Action) * t.Cents
			if t.Rule == "" {
				times[t.Action+" "+t.Card+" "+dollars(t.Cents)]++
			}
		}
	}
	for _, c := range r.Charges {
		moved[c.Card] -= c.Cents
	}
	for id, before := range r.Before.Cards {
		if after := r.After.Cards[id]; after.Cents != before.Cents+moved[id] {
			add("%s holds %s; with what is told as done it would hold %s", id, dollars(after.Cents), dollars(before.Cents+moved[id]))
		}
	}
	if want := r.Before.Wallet + wallet; r.After.Wallet != want {
		add("the wallet holds %s; with what is told as done it would hold %s", dollars(r.After.Wallet), dollars(want))
	}
	asked, levels, given := make(map[string]int), make(map[string]int), make(map[string]bool)
	for _, a := range r.Asked {
		if a.Key != "" {
			if given[a.Key] {
				continue // The same key asks for the same thing.
			}
			given[a.Key] = true
		}
		for _, id := range a.Cards {
			if a.Level > 0 {
				levels[a.Verb+" "+id]++
				continue
			}
			asked[a.Verb+" "+id+" "+dollars(a.Cents)]++
		}
	}
	for what, n := range times {
		action, card, _ := strings.Cut(what, " ")
		card, _, _ = strings.Cut(card, " ")
		for ; n > asked[what] && levels[action+" "+card] > 0; n-- { // What a level moves is not known.
			levels[action+" "+card]--
		}
		if n > asked[what] {
			add("%s was done %d times and asked for %d times", what, n, asked[what])
		}
	}
}

// refusesTruly holds that what may be done is done while the provider answers.
func (r *Run) refusesTruly(add func(string, ...any)) {
	for _, a := range r.Asked {
		if a.Fair && !a.Killed && a.Exit != 0 {
			add("%s was refused for no reason that is true (exit %d): %s", a.Line, a.Exit, strings.TrimSpace(a.Errs))
		}
	}
}

func dollars(cents int64) string { return fmt.Sprintf("$%d.%02d", cents/100, max(cents, -cents)%100) }
