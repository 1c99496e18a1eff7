package client

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

	"github.com/cardtop/cardtop/api"
)

// OfHub reports whether the client has a token of a hub.
func (c *Client) OfHub() bool { return c.key.OfHub() }

// AboutHub asks whether the service is a hub. One that is none answers ErrNotFound.
func (c *Client) AboutHub(ctx context.Context) (api.HubAbout, error) {
	return get[api.HubAbout](ctx, c, request{route: "/hub/v1/about", path: "/about", hub: true})
}

// ClaimCode says on a hub that the user uses a code. It moves nothing, may be repeated,
// and is not refused to a client that is read-only.
func (c *Client) ClaimCode(ctx context.Context, id api.ChallengeID) error {
	body, err := json.Marshal(struct {
		ID api.ChallengeID `json:"challenge_id"`
	}{id})
	if err != nil {
		return err
	}
	return c.do(ctx, request{method: http.MethodPost, route: "/hub/v1/claims", path: "/claims", body: body, hub: true, tells: true}, func([]byte) error { return nil })
}

const (
	// hubSilence is how long a hub may say nothing: it says something every 15 s.
	hubSilence = 40 * time.Second
	// hubLine is the longest line of a stream, in bytes.
	hubLine = 64 << 10
)

// FollowHub calls told with what a hub tells, until the context or the stream ends.
func (c *Client) FollowHub(ctx context.Context, told func(api.HubEvent)) error {
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
func hubEvent(name string, data []byte) (api.HubEvent, bool) {
	var ev api.HubEvent
	switch name {
	case "hello":
		ev.Open = true
		return ev, true
	case "changed":
		var w struct {
			Topics []api.Text `json:"topics"`
		}
		err := json.Unmarshal(data, &w)
		ev.Topics = w.Topics
		return ev, err == nil
	case "code":
		ev.Topics = []api.Text{"codes"}
		return ev, true
	case "claim":
		ev.Claim = new(api.HubClaim)
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

// HubOutcome asks a hub what became of a write. It sends nothing again.
func (c *Client) HubOutcome(ctx context.Context, w api.Write, key api.IdempotencyKey) (api.HubOutcome, error) {
	q := url.Values{"key": {string(key)}, "method": {w.Method}, "path": {w.Path}}
	return get[api.HubOutcome](ctx, c, request{route: "/hub/v1/outcome", path: "/outcome", query: q, hub: true})
}

// hubRows reads a list of a hub. What of it cannot be read is left out, and told to the observer.
func hubRows[T any](ctx context.Context, c *Client, path string) ([]T, error) {
	page, err := getPage(ctx, c, request{route: "/hub/v1" + path, path: path, hub: true}, api.DecodeRows[T])
	return page.Data, err
}

// HubApprovals lists the user's own requests, and to leads those of others.
func (c *Client) HubApprovals(ctx context.Context) ([]api.HubApproval, error) {
	return hubRows[api.HubApproval](ctx, c, "/approvals")
}

// HubOperations lists the writes that have no outcome.
func (c *Client) HubOperations(ctx context.Context) ([]api.HubOperation, error) {
	return hubRows[api.HubOperation](ctx, c, "/operations")
}

// HubLeases lists what is under way with the money of cards.
func (c *Client) HubLeases(ctx context.Context) ([]api.HubLease, error) {
	return hubRows[api.HubLease](ctx, c, "/leases")
}

// HubClaims lists who uses which code.
func (c *Client) HubClaims(ctx context.Context) ([]api.HubClaim, error) {
	return hubRows[api.HubClaim](ctx, c, "/claims")
}

// HubRules lists the rules that the hub runs.
func (c *Client) HubRules(ctx context.Context) ([]api.HubRule, error) {
	return hubRows[api.HubRule](ctx, c, "/rules")
}

// HubPeople lists the team.
func (c *Client) HubPeople(ctx context.Context) ([]api.HubPerson, error) {
	return hubRows[api.HubPerson](ctx, c, "/people")
}

// DecideHubApproval approves a request with the figures that were shown, or refuses it.
// It is sent once: a request that was decided is not there any more.
func (c *Client) DecideHubApproval(ctx context.Context, a api.HubApproval, approve bool) error {
	body, err := json.Marshal(struct {
		Approve bool    `json:"approve"`
		Amount  api.USD `json:"amount"`
		api.HubFigures
	}{approve, a.Amount, a.HubFigures})
	if err != nil {
		return err
	}
	return c.hubPost(ctx, "/approvals", a.ID, body, func([]byte) error { return nil })
}

// SettleHubOperation reads again what shows whether a write acted ("read"), or takes the
// user's word for it ("done", "not-done"). The operation returned is empty for a word.
func (c *Client) SettleHubOperation(ctx context.Context, id api.IdempotencyKey, as string) (op api.HubOperation, err error) {
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
	if !api.IsRuleName(name) {
		return api.Invalid("there is no rule of that name")
	}
	return c.hubSend(ctx, "/rules", name, body, func([]byte) error { return nil })
}

func (c *Client) hubPost(ctx context.Context, path, id string, body []byte, decode func([]byte) error) error {
	s, err := api.Segment("hub", id)
	if err != nil {
		return err
	}
	return c.hubSend(ctx, path, s, body, decode)
}

// hubSend is hubPost for a part of a path that was checked.
func (c *Client) hubSend(ctx context.Context, path, part string, body []byte, decode func([]byte) error) error {
	return c.do(ctx, request{method: http.MethodPost, route: "/hub/v1" + path + "/{id}", path: path + "/" + part, body: body, hub: true}, decode)
}
