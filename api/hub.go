package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
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
		return errMissing("hub", "protocol")
	}
	return nil
}

// OfHub reports whether the client has a token of a hub.
func (c *Client) OfHub() bool { return c.key.OfHub() }

// AboutHub asks whether the service is a hub. One that is none answers ErrNotFound.
func (c *Client) AboutHub(ctx context.Context) (HubAbout, error) {
	return get[HubAbout](ctx, c, request{route: "/hub/v1/about", path: "/about", hub: true})
}

// ClaimCode says on a hub that the user uses a code. It moves nothing, may be repeated,
// and is not refused to a client that is read-only.
func (c *Client) ClaimCode(ctx context.Context, id ChallengeID) error {
	body, err := json.Marshal(struct {
		ID ChallengeID `json:"challenge_id"`
	}{id})
	if err != nil {
		return err
	}
	return c.do(ctx, request{method: http.MethodPost, route: "/hub/v1/claims", path: "/claims", body: body, hub: true, tells: true}, func([]byte) error { return nil })
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

const (
	// hubSilence is how long a hub may say nothing: it says something every 15 s.
	hubSilence = 40 * time.Second
	// hubLine is the longest line of a stream, in bytes.
	hubLine = 64 << 10
)

// FollowHub calls told with what a hub tells, until the context or the stream ends.
func (c *Client) FollowHub(ctx context.Context, told func(HubEvent)) error {
	r := request{method: http.MethodGet, route: "/hub/v1/stream", path: "/stream", hub: true}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := c.build(ctx, r)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	silent := time.AfterFunc(hubSilence, cancel)
	defer silent.Stop()
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return c.networkError(r, err, false)
	}
	defer func() { _ = resp.Body.Close() }() // It was only read from.
	if resp.StatusCode != http.StatusOK {
		return c.answerError(r, c.readHeader(resp), nil, "the hub opens no stream")
	}
	err = readEvents(resp.Body, func(name string, data []byte) {
		silent.Reset(hubSilence)
		if ev, ok := hubEvent(name, data); ok {
			told(ev)
		}
	})
	return c.networkError(r, err, false)
}

// hubEvent decodes an event; false for one that says nothing new.
func hubEvent(name string, data []byte) (HubEvent, bool) {
	var ev HubEvent
	switch name {
	case "hello":
		ev.Open = true
		return ev, true
	case "changed":
		var w struct {
			Topics []Text `json:"topics"`
		}
		err := json.Unmarshal(data, &w)
		ev.Topics = w.Topics
		return ev, err == nil
	case "code":
		ev.Topics = []Text{"codes"}
		return ev, true
	case "claim":
		ev.Claim = new(HubClaim)
		return ev, json.Unmarshal(data, ev.Claim) == nil
	}
	return ev, false
}

// readEvents reads server-sent events until the stream ends.
func readEvents(from io.Reader, told func(name string, data []byte)) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, hubLine)
	name, data := "", []byte(nil)
	for lines.Scan() {
		line := lines.Bytes()
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0:
			if name != "" {
				told(name, data)
			}
			name, data = "", nil
		case string(field) == "event":
			name = strings.Clone(string(value))
		case string(field) == "data":
			data = bytes.Clone(value)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errStreamEnded
}

var errStreamEnded = errors.New("the stream ended")

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

// HubOutcome asks a hub what became of a write. It sends nothing again.
func (c *Client) HubOutcome(ctx context.Context, w Write, key IdempotencyKey) (HubOutcome, error) {
	q := url.Values{"key": {string(key)}, "method": {w.Method}, "path": {w.Path}}
	return get[HubOutcome](ctx, c, request{route: "/hub/v1/outcome", path: "/outcome", query: q, hub: true})
}

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

// hubRows reads a list of a hub. What of it cannot be read is left out, and told to the observer.
func hubRows[T any](ctx context.Context, c *Client, path string) ([]T, error) {
	page, err := getPage(ctx, c, request{route: "/hub/v1" + path, path: path, hub: true}, decodeRows[T])
	return page.Data, err
}

// decodeRows decodes a list of a hub row by row. People decide by what a row says: one of which a
// part cannot be read is left out whole.
func decodeRows[T any](b []byte) (p Page[T], err error) {
	var w struct {
		Data []json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return p, err
	}
	for i, raw := range w.Data {
		var row T
		if json.Unmarshal(raw, &row) == nil {
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

// HubApprovals lists the user's own requests, and to leads those of others.
func (c *Client) HubApprovals(ctx context.Context) ([]HubApproval, error) {
	return hubRows[HubApproval](ctx, c, "/approvals")
}

// HubOperations lists the writes that have no outcome.
func (c *Client) HubOperations(ctx context.Context) ([]HubOperation, error) {
	return hubRows[HubOperation](ctx, c, "/operations")
}

// HubLeases lists what is under way with the money of cards.
func (c *Client) HubLeases(ctx context.Context) ([]HubLease, error) {
	return hubRows[HubLease](ctx, c, "/leases")
}

// HubClaims lists who uses which code.
func (c *Client) HubClaims(ctx context.Context) ([]HubClaim, error) {
	return hubRows[HubClaim](ctx, c, "/claims")
}

// HubRules lists the rules that the hub runs.
func (c *Client) HubRules(ctx context.Context) ([]HubRule, error) {
	return hubRows[HubRule](ctx, c, "/rules")
}

// HubPeople lists the team.
func (c *Client) HubPeople(ctx context.Context) ([]HubPerson, error) {
	return hubRows[HubPerson](ctx, c, "/people")
}

// DecideHubApproval approves a request with the figures that were shown, or refuses it.
// It is sent once: a request that was decided is not there any more.
func (c *Client) DecideHubApproval(ctx context.Context, a HubApproval, approve bool) error {
	body, err := json.Marshal(struct {
		Approve bool `json:"approve"`
		Amount  USD  `json:"amount"`
		HubFigures
	}{approve, a.Amount, a.HubFigures})
	if err != nil {
		return err
	}
	return c.hubPost(ctx, "/approvals", a.ID, body, func([]byte) error { return nil })
}

// SettleHubOperation reads again what shows whether a write acted ("read"), or takes the
// user's word for it ("done", "not-done"). The operation returned is empty for a word.
func (c *Client) SettleHubOperation(ctx context.Context, id IdempotencyKey, as string) (op HubOperation, err error) {
	body, err := json.Marshal(struct {
		Settle string `json:"settle"`
	}{as})
	if err != nil {
		return op, err
	}
	err = c.hubPost(ctx, "/operations", string(id), body, func(b []byte) error { return json.Unmarshal(b, &op) })
	return op, err
}

// SwitchHubRule has a rule of the hub do nothing, or act as the hub was started to.
func (c *Client) SwitchHubRule(ctx context.Context, name string, on bool) error {
	body, err := json.Marshal(struct {
		On bool `json:"on"`
	}{on})
	if err != nil {
		return err
	}
	if !IsRuleName(name) {
		return invalid("there is no rule of that name")
	}
	return c.hubSend(ctx, "/rules", name, body, func([]byte) error { return nil })
}

func (c *Client) hubPost(ctx context.Context, path, id string, body []byte, decode func([]byte) error) error {
	s, err := segment("hub", id)
	if err != nil {
		return err
	}
	return c.hubSend(ctx, path, s, body, decode)
}

// hubSend is hubPost for a part of a path that was checked.
func (c *Client) hubSend(ctx context.Context, path, part string, body []byte, decode func([]byte) error) error {
	return c.do(ctx, request{method: http.MethodPost, route: "/hub/v1" + path + "/{id}", path: path + "/" + part, body: body, hub: true}, decode)
}
