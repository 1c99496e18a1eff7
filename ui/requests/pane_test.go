package requests_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/requests"
)

// told tells the store of requests, in an answer that is about nothing.
func told(a *panetest.Account, list ...requestlog.Request) {
	m := a.Meta()
	m.Requests = list
	a.Apply(bins.Loaded{Meta: m})
}

func request(n int) requestlog.Request {
	return requestlog.Request{
		At: panetest.At(time.Duration(n) * time.Second), Method: "GET", Route: fmt.Sprintf("/v1/cards/{id%d}", n),
		Status: 200, Took: time.Duration(n) * 10 * time.Millisecond, ID: api.Text(fmt.Sprintf("req_%d", n)),
	}
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, requests.New(panetest.Theme(t)), w, h)
}

func TestRequestsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	s := open(t, a, 140, 14)
	s.See("1 Requests  0 · live", "no requests yet")
	refused, lost := request(2), request(3)
	refused.Method, refused.Status, refused.Err = "POST", 402, fmt.Errorf("%w", api.ErrInsufficientFunds)
	lost.Status, lost.ID, lost.Err = 0, "", fmt.Errorf("dial: %w", api.ErrUnreachable)
	told(a, request(1), refused, lost)
	s.Look()
	s.See("1 Requests  3 · 2 failed · live")
	panetest.See(t, s.Line("{id1}"), "GET", "200", "10", "req_1")
	panetest.See(t, s.Line("{id2}"), "POST", "✗ 402", "20", "req_2", "the wallet is too low")
	panetest.See(t, s.Line("{id3}"), "✗ lost", "the API does not answer")
	if first := s.Line("│▸"); first != s.Line("{id3}") {
		t.Errorf("the newest is not on top: %q", first)
	}
	s.See(" the API does not answer · " + time.Date(2026, 3, 1, 12, 0, 3, 0, time.UTC).Local().Format("2006-01-02 15:04:05.000"))
	s.Fits()
}

func TestTheListOfRequestsFollowsOnlyFromItsFirstRow(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	told(a, request(1), request(2))
	s := open(t, a, 120, 14)
	told(a, request(3))
	s.Look()
	s.Asks(keymap.CopyRequestID, secrets.CopyText{What: "request id", Text: "req_3"})
	s.Asks(keymap.Down, nil)
	s.SeeNot("live")
	told(a, request(4))
	s.Look()
	s.Asks(keymap.CopyRequestID, secrets.CopyText{What: "request id", Text: "req_2"})
	s.Exports(keymap.Export, "2026-03-01T12:00:04Z", "2026-03-01T12:00:03Z", "2026-03-01T12:00:02Z", "2026-03-01T12:00:01Z")
	s.Asks(keymap.Freeze, nil)
}

// TestACurlCommandHasNoKey copies a request that can be sent again by hand.
func TestACurlCommandHasNoKey(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	told(a, request(1))
	s := open(t, a, 120, 14)
	curl := request(1).Curl()
	if strings.Contains(curl, "sk_") || !strings.Contains(curl, "/v1/cards/") {
		t.Errorf("the command is %q", curl)
	}
	s.Asks(keymap.CopyCurl, secrets.CopyText{What: "the request as a curl command", Text: curl})
}
