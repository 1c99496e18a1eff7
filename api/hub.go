package api

import (
	"encoding/json"
	"time"
)

// The errors of a hub that a client acts on.
const (
	// HubSettledDone and HubSettledNotDone are the identifiers of the answer to the key of a
	// write that had no outcome until a person said what became of it.
	HubSettledDone    = "settled_done"
	HubSettledNotDone = "settled_not_done"
	// HubApprovalRequired is the identifier of the error of a write that waits for a lead.
	HubApprovalRequired = "approval_required"
	// HubFiguresChanged is that of an approval whose figures are not those of now.
	HubFiguresChanged = "figures_changed"
)

// HubAbout is who a hub takes the user for.
type HubAbout struct {
	Hub      Text `json:"hub"`
	Protocol int  `json:"protocol"`
	You      struct {
		Name Text `json:"name"`
		Role Text `json:"role"`
		// Cap is the most that the user funds without an approval, USD; nil for no bound.
		Cap *USD `json:"cap"`
	} `json:"you"`
}

// UnmarshalJSON decodes the answer, which only a hub gives.
func (h *HubAbout) UnmarshalJSON(b []byte) error {
	type plain HubAbout
	if err := json.Unmarshal(b, (*plain)(h)); err != nil {
		return err
	}
	if h.Hub == "" || h.Protocol < 1 {
		return MissingField("hub", "protocol")
	}
	return nil
}

// HubClaim is that a person uses a code.
type HubClaim struct {
	Challenge ChallengeID
	By        Text
	At        time.Time
}

// UnmarshalJSON decodes a claim.
func (h *HubClaim) UnmarshalJSON(b []byte) error {
	var w struct {
		Challenge ChallengeID `json:"challenge_id"`
		By        Text        `json:"by"`
		At        timestamp   `json:"at"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	h.Challenge, h.By, h.At = w.Challenge, w.By, w.At.time()
	return requireID(h.Challenge, "claim")
}

// HubEvent is what a hub tells: of parts that changed, or of a claim.
type HubEvent struct {
	// Open is set when the stream is there: what changed before was not told.
	Open   bool
	Topics []Text
	Claim  *HubClaim
}

// HubApproval is a request on a hub that waits for a lead, or what became of it. Balances
// are those of now; nil where not known.
type HubApproval struct {
	ID        string    `json:"id"`
	By        Text      `json:"by"`
	Operation Text      `json:"operation"`
	Card      CardID    `json:"card_id"`
	Label     Text      `json:"label"`
	Amount    USD       `json:"amount"`
	At        time.Time `json:"at"`
	Until     time.Time `json:"until"`
	State     Text      `json:"state"`
	DecidedBy Text      `json:"decided_by"`
	// DecidedAt is when it was decided or ended; nil while it waits.
	DecidedAt *time.Time `json:"decided_at"`
	HubFigures
}

// HubFigures are what an approval rests on: the status of the card and balances, USD.
type HubFigures struct {
	// CardStatus is the status of the card now, CardExpired after its expiry; empty for a card that is to be
	// issued or is not known.
	CardStatus   CardStatus `json:"card_status"`
	CardBefore   *USD       `json:"card_balance"`
	CardAfter    *USD       `json:"card_balance_after"`
	WalletBefore *USD       `json:"wallet_balance"`
	WalletAfter  *USD       `json:"wallet_balance_after"`
}

// Waits reports whether a lead may decide it.
func (a HubApproval) Waits() bool { return a.State == "waiting" }

// HubOperation is a write on a hub that has no outcome.
type HubOperation struct {
	ID        IdempotencyKey `json:"id"`
	By        Text           `json:"by"`
	Operation Text           `json:"operation"`
	Card      CardID         `json:"card_id"`
	Label     Text           `json:"label"`
	Amount    USD            `json:"amount"`
	At        time.Time      `json:"at"`
	// State is "sending", "asking" or "unsettled"; Suggests "done", "not-done" or empty.
	State    Text `json:"state"`
	Suggests Text `json:"suggests"`
	Balance  *USD `json:"card_balance"`
	Before   *USD `json:"card_balance_before"`
	After    *USD `json:"card_balance_after"`
}

// HubOutcome is what a hub knows of a write of the user's, by its key.
type HubOutcome struct {
	// State is HubNone, HubOpen, HubDone, HubNotDone or HubUnknown.
	State Text `json:"state"`
	// Message says how the outcome is known; empty where there is none.
	Message Text `json:"message"`
}

// The states of a write on a hub: it never had it, it has no outcome yet, it has one, or
// nobody waits for one any more.
const (
	HubNone    = "none"
	HubOpen    = "open"
	HubDone    = "done"
	HubNotDone = "not-done"
	HubUnknown = "unknown"
)

// HubLease is an operation under way that moves the money of a card: there is no other
// beside it.
type HubLease struct {
	Card      CardID    `json:"card_id"`
	By        Text      `json:"by"`
	Operation Text      `json:"operation"`
	At        time.Time `json:"at"`
	// State is as that of a HubOperation.
	State Text `json:"state"`
}

// HubRule is a rule that a hub runs.
type HubRule struct {
	Name Text `json:"name"`
	When Text `json:"when"`
	Does Text `json:"does"`
	// Mode is "off", "suggest" or "act", Paused why it does nothing now.
	Mode     Text `json:"mode"`
	Paused   Text `json:"paused"`
	Matching int  `json:"matching"`
	Would    int  `json:"would_act_on"`
	Amount   USD  `json:"amount"`
	// Day and Actions are what it did in 24 hours.
	Day     USD        `json:"moved_day"`
	Actions int        `json:"actions_day"`
	Last    Text       `json:"last"`
	LastAt  *time.Time `json:"last_at"`
}

// HubPerson is one of the team of a hub.
type HubPerson struct {
	Name Text `json:"name"`
	Role Text `json:"role"`
	// Here is how many dashboards are open.
	Here int        `json:"here"`
	Seen *time.Time `json:"last_seen"`
}

// A row is whole when it has what people decide by.
type whole interface{ whole() bool }

func (a *HubApproval) whole() bool {
	return a.ID != "" && a.By != "" && a.State != "" && known(a.Operation, a.Card, a.Amount)
}

func (o *HubOperation) whole() bool {
	return o.ID != "" && o.State != "" && known(o.Operation, o.Card, o.Amount)
}

func (l *HubLease) whole() bool  { return l.Card != "" && l.Operation != "" }
func (h *HubClaim) whole() bool  { return h.Challenge != "" && h.By != "" }
func (r *HubRule) whole() bool   { return r.Name != "" && r.Mode != "" }
func (p *HubPerson) whole() bool { return p.Name != "" && p.Role != "" }

// known reports whether a row says what is done, to what, and with how much where that moves.
func known(operation Text, card CardID, amount USD) bool {
	switch operation {
	case "":
		return false
	case "issue":
		return amount > 0
	case "registration", "deletion": // Of a webhook.
		return true
	case "fund", "withdrawal":
		return card != "" && amount > 0
	}
	return card != ""
}

func isWhole(row any) bool {
	w, ok := row.(whole)
	return !ok || w.whole()
}

// DecodeRows decodes a list of a hub row by row. People decide by what a row says: one of which a
// part is missing or cannot be read is left out whole.
func DecodeRows[T any](b []byte) (p Page[T], err error) {
	var w struct {
		Data []json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return p, err
	}
	for i, raw := range w.Data {
		var row T
		if json.Unmarshal(raw, &row) == nil && isWhole(&row) {
			p.Data = append(p.Data, row)
			continue
		}
		u := Unread{ID: idOf(raw)}
		if u.ID == "" {
			u.Page, u.Row = 1, i+1
		}
		p.Unread = append(p.Unread, u)
	}
	return p, nil
}
