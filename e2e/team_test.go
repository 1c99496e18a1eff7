package e2e

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	people "github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui"
)

// office answers what only a hub does, in front of the service. The person at the program
// is lea, a lead.
type office struct {
	mu      sync.Mutex
	next    http.RoundTripper
	card    string   // of the request
	wallet  int      // as the hub has it, USD
	decided []string // the bodies that were sent
	over    bool     // the request was decided
	settled []string // the bodies that were sent of the operation
}

func (o *office) through(next http.RoundTripper) http.RoundTripper {
	o.next = next
	return o
}

// RoundTrip implements http.RoundTripper.
func (o *office) RoundTrip(r *http.Request) (*http.Response, error) {
	path, ofHub := strings.CutPrefix(r.URL.Path, "/hub/v1/")
	if !ofHub {
		return o.next.RoundTrip(r)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	status, body := http.StatusOK, `{"data":[]}`
	at := func(ago time.Duration) string { return clock().Add(-ago).UTC().Format(time.RFC3339) }
	figures := fmt.Sprintf(`"card_balance":50,"card_balance_after":350,"wallet_balance":%d,"wallet_balance_after":%d`, o.wallet, o.wallet-300)
	switch path {
	case "people":
		body = fmt.Sprintf(`{"data":[{"name":"lea","role":"lead","here":2,"last_seen":%q},{"name":"bob","role":"buyer","here":1,"last_seen":%q},{"name":"max","role":"viewer","here":0,"last_seen":%q},{"name":"eve","role":"admin","here":0,"last_seen":null}]}`, at(0), at(30*time.Second), at(2*time.Hour))
	case "operations/hub-7f3a":
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		o.settled = append(o.settled, string(sent))
		body = o.operation(at(4 * time.Minute))
	case "operations":
		if len(o.settled) > 1 && strings.Contains(o.settled[len(o.settled)-1], "done") {
			break
		}
		body = `{"data":[` + o.operation(at(4*time.Minute)) + `]}`
	case "approvals":
		over := fmt.Sprintf(`{"id":"apr_0","by":"bob","operation":"issue","label":"gg/new","amount":600,"at":%q,"until":%q,"state":"refused","decided_by":"eve","decided_at":%q}`, at(2*time.Hour), at(-22*time.Hour), at(time.Hour))
		waits := fmt.Sprintf(`{"id":"apr_1","by":"bob","operation":"fund","card_id":%q,"label":"fb","amount":300,"at":%q,"until":%q,"state":"waiting",%s}`, o.card, at(3*time.Minute), at(-24*time.Hour), figures)
		if o.over {
			waits = fmt.Sprintf(`{"id":"apr_1","by":"bob","operation":"fund","card_id":%q,"label":"fb","amount":300,"at":%q,"until":%q,"state":"approved","decided_by":"lea","decided_at":%q}`, o.card, at(3*time.Minute), at(-24*time.Hour), at(0))
		}
		body = `{"data":[` + waits + "," + over + `]}`
	case "approvals/apr_1":
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		o.decided = append(o.decided, string(sent))
		if body = "{}"; !strings.Contains(string(sent), figures) {
			status, body = http.StatusConflict, `{"error":"figures_changed","message":"other","code":409,"request_id":"req_1"}`
		} else {
			o.over = true
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// operation is one of bob without an outcome.
func (o *office) operation(at string) string {
	return fmt.Sprintf(`{"id":"hub-7f3a","by":"bob","operation":"withdrawal","card_id":%q,"amount":20,"at":%q,"state":"unsettled","suggests":"done","card_balance":30,"card_balance_before":50,"card_balance_after":30}`, o.card, at)
}

// lead runs a story of lea, who looks at the team.
func lead(t *testing.T, w, h int, tell func(*driver, *office)) {
	t.Helper()
	o := &office{wallet: 4000}
	story(t, options{w: w, h: h, through: o.through}, func(d *driver) {
		d.inside(func(s *state.Store) {
			all := s.Cards.All()
			for i := range all.Len() { // Which was seen first is by chance.
				if c := all.At(i); o.card == "" || string(c.ID) < o.card {
					o.card = string(c.ID)
				}
			}
		})
		d.joinAsLead()
		tell(d, o)
	})
}

// joinAsLead tells the program that it is on a hub, as lea, and waits for what it reads there.
func (d *driver) joinAsLead() {
	d.t.Helper()
	now := clock()
	d.prog.Send(ui.EventMsg(state.HubJoined{Meta: kernel.Meta{Sent: now, At: now}, You: people.You{Name: "lea", Role: people.Lead}}))
	d.wait(2 * time.Second)
}

func TestTeamScreens(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			lead(t, size[0], size[1], func(d *driver, _ *office) {
				d.press("Q")
				d.wait(15 * time.Second)
				d.see("lea lead", "$12,480.22")
				d.drawn("team")
				d.press("enter")
				d.wait(time.Second)
				d.drawn("team-approve")
				d.press("esc", "j", "s")
				d.wait(time.Second)
				d.drawn("team-settle")
			})
		})
	}
}

// TestALeadApprovesWithTheFiguresOfNow: figures that changed are refused by the hub, read
// anew, and shown before they are sent.
func TestALeadApprovesWithTheFiguresOfNow(t *testing.T) {
	t.Parallel()
	lead(t, 160, 45, func(d *driver, o *office) {
		d.see("lea lead", "1 to approve", "bob asks: fund $300.00")
		d.press("Q")
		d.wait(time.Second)
		d.press("a")
		d.wait(time.Second)
		d.see("fund $300.00, ", "bob asked 3m ago", "$4,000.00", "$3,700.00")
		o.mu.Lock()
		o.wallet = 3500
		o.mu.Unlock()
		d.press("a")
		d.wait(2 * time.Second)
		d.see("amount or balances changed: check them and press again", "$3,500.00", "$3,200.00")
		d.press("a")
		d.wait(2 * time.Second)
		d.seeNot("bob asked 3m ago · ", "amount or balances changed")
		d.see("approved: fund $300.00", "approved by lea")
		if len(o.decided) != 2 || !strings.Contains(o.decided[1], `"wallet_balance_after":3200`) {
			t.Errorf("sent %q", o.decided)
		}
		d.press("esc")
		d.seeNot("without outcome")
	})
}

// TestALeadSettlesAnOperationOnTheScreen: it is read again first, and the word counts once
// the hub has taken it.
func TestALeadSettlesAnOperationOnTheScreen(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"s", "enter"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			lead(t, 160, 45, func(d *driver, o *office) {
				d.press("Q")
				d.wait(time.Second)
				d.press("s")
				d.see("no operation here: go to one without outcome")
				d.press("j")
				d.see("UNCONFIRMED", "s settles")
				d.press(key)
				d.wait(time.Second)
				d.see("Did it happen?", "withdrawal $20.00, ", "bob, 4m ago", "$50.00", "$30.00", "it probably happened", "check again", "it did not")
				if len(o.settled) != 1 || !strings.Contains(o.settled[0], `"read"`) {
					t.Errorf("sent %q", o.settled)
				}
				d.press("tab", "tab", "enter")
				d.wait(2 * time.Second)
				d.see("settled as not-done: withdrawal $20.00, ", "asked by bob")
				d.seeNot("Did it happen?", "UNCONFIRMED")
				if len(o.settled) != 2 || !strings.Contains(o.settled[1], `"not-done"`) {
					t.Errorf("sent %q", o.settled)
				}
			})
		})
	}
}

// TestAboveTheCapTheFormClosesAndTheHistoryHasIt: nothing is sent again.
func TestAboveTheCapTheFormClosesAndTheHistoryHasIt(t *testing.T) {
	t.Parallel()
	o := &capped{}
	story(t, options{through: o.through}, func(d *driver) {
		d.press("+", "9", "0", "enter")
		d.wait(time.Second)
		d.press("+")
		d.wait(2 * time.Second)
		d.see("waits for a lead: fund $90.00, ")
		d.seeNot("amount  $", "funding")
		d.wait(2 * time.Minute)
		if o.sent != 1 {
			t.Errorf("sent %d times", o.sent)
		}
		d.press("H")
		d.wait(time.Second)
		d.see("◌ waits", "above your cap of $50.00")
	})
}

// capped refuses each fund as a hub does whose cap it is above.
type capped struct {
	next http.RoundTripper
	sent int
}

func (c *capped) through(next http.RoundTripper) http.RoundTripper {
	c.next = next
	return c
}

// RoundTrip implements http.RoundTripper.
func (c *capped) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, "/fund") {
		return c.next.RoundTrip(r)
	}
	c.sent++
	body := fmt.Sprintf(`{"error":%q,"message":"above your cap of $50.00: apr_1 waits for a lead, for 24 h","code":403,"request_id":"req_1"}`, api.HubApprovalRequired)
	return &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}
