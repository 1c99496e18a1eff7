package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

type built struct {
	w   api.Write
	err error
}

func build(w api.Write, err error) built { return built{w, err} }

func TestBadWrites(t *testing.T) {
	odd, low := api.Cent+1, -api.Cent
	many := map[string]string{}
	for i := range 21 {
		many[fmt.Sprint(i)] = ""
	}
	card := func(change func(*api.CreateCardRequest)) built {
		r := api.CreateCardRequest{BIN: "b", Amount: 50 * api.Dollar}
		change(&r)
		return build(api.CreateCardWrite(r))
	}
	hook := func(url string, events ...string) built {
		return build(api.CreateWebhookWrite(api.CreateWebhookRequest{URL: url, Events: events}))
	}
	tests := map[string]built{
		"no bin":            card(func(r *api.CreateCardRequest) { r.BIN = "" }),
		"0.99":              card(func(r *api.CreateCardRequest) { r.Amount = 990_000 }),
		"0.999999":          card(func(r *api.CreateCardRequest) { r.Amount = 999_999 }),
		"5000.01":           card(func(r *api.CreateCardRequest) { r.Amount = 5000*api.Dollar + api.Cent }),
		"half a cent":       card(func(r *api.CreateCardRequest) { r.Amount += 5_000 }),
		"long label":        card(func(r *api.CreateCardRequest) { r.Label = strings.Repeat("ü", 65) }),
		"broken label":      card(func(r *api.CreateCardRequest) { r.Label = "\xff" }),
		"limit":             card(func(r *api.CreateCardRequest) { r.SpendingLimit = &low }),
		"threshold":         card(func(r *api.CreateCardRequest) { r.AutoFreezeAt = &odd }),
		"metadata":          card(func(r *api.CreateCardRequest) { r.Metadata = many }),
		"broken metadata":   card(func(r *api.CreateCardRequest) { r.Metadata = map[string]string{"a": "\xff"} }),
		"nothing":           build(api.UpdateCardWrite("c", api.UpdateCardRequest{})),
		"update label":      build(api.UpdateCardWrite("c", api.UpdateCardRequest{Label: new(strings.Repeat("x", 65))})),
		"update id":         build(api.UpdateCardWrite("", api.UpdateCardRequest{Label: new("x")})),
		"fund cents":        build(api.FundWrite("c", 5*api.Dollar+1)),
		"withdraw negative": build(api.WithdrawWrite("c", -api.Dollar)),
		"withdraw cents":    build(api.WithdrawWrite("c", 1)),
		"http":              hook("http://e.com/h", "*"),
		"user":              hook("https://a:b@e.com/h", "*"),
		"no host":           hook("https:///h", "*"),
		"no url":            hook("", "*"),
		"no events":         hook("https://e.com/h"),
		"empty event":       hook("https://e.com/h", ""),
		"star and more":     hook("https://e.com/h", "*", "card.created"),
	}
	for name, tt := range tests {
		if !errors.Is(tt.err, api.ErrInvalid) || api.Outcome(tt.err) != api.Refused {
			t.Errorf("%s: %v", name, tt.err)
		}
	}
	delete(many, "0")
	if got := card(func(r *api.CreateCardRequest) { r.Label, r.Metadata = strings.Repeat("ü", 64), many }); got.err != nil {
		t.Error(got.err)
	}
}

// TestSendSendsTheSameBytes sends a write that was kept, twice, as after a
// restart.
func TestSendSendsTheSameBytes(t *testing.T) {
	w, err := api.FundWrite("card_1", 5*api.Dollar)
	must(t, err)
	kept, err := json.Marshal(w)
	must(t, err)
	var again api.Write
	must(t, json.Unmarshal(kept, &again))
	var seen []string
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Idempotency-Key")+" "+string(body))
		answer(200, "application/json", fundBody)(w, r)
	})
	for _, w := range []api.Write{w, again} {
		res, err := sends[api.FundResult](t.Context(), c, idemKey)(w, nil)
		if err != nil || res.NewBalance != 15*api.Dollar || res.WalletBalance != 85*api.Dollar {
			t.Fatalf("%+v, %v", res, err)
		}
	}
	if len(seen) != 2 || seen[0] != seen[1] || seen[0] != `POST /prefix/v1/cards/card_1/fund key-1 {"amount":5}` {
		t.Errorf("seen %q", seen)
	}
}

func TestSendRefuses(t *testing.T) {
	good, err := api.FundWrite("card_1", 5*api.Dollar)
	must(t, err)
	tests := []struct {
		change func(*api.Write)
		key    api.IdempotencyKey
	}{
		{func(*api.Write) {}, ""},
		{func(*api.Write) {}, "a b"},
		{func(*api.Write) {}, "a\r\nX-Evil: 1"},
		{func(*api.Write) {}, api.IdempotencyKey(strings.Repeat("x", 257))},
		{func(w *api.Write) { w.Method = "GET" }, idemKey},
		{func(w *api.Write) { w.Path = "" }, idemKey},
		{func(w *api.Write) { w.Path = "@evil.com/cards" }, idemKey},
		{func(w *api.Write) { w.Path = "/../../admin" }, idemKey},
		{func(w *api.Write) { w.Path = "/cards?x=1" }, idemKey},
		{func(w *api.Write) { w.Path = "/cards/%zz" }, idemKey},
		{func(w *api.Write) { w.Body = []byte("{") }, idemKey},
	}
	c := fakeClient(t, func(*http.Request) (*http.Response, error) {
		t.Error("a request was made")
		return jsonResponse(200, fundBody), nil
	})
	for i, tt := range tests {
		w := good
		tt.change(&w)
		if _, err := sends[api.FundResult](t.Context(), c, tt.key)(w, nil); !errors.Is(err, api.ErrInvalid) || api.Outcome(err) != api.Refused {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestWriteIsNotPrinted(t *testing.T) {
	w, err := api.CreateWebhookWrite(api.CreateWebhookRequest{URL: "https://e.com/h", Events: []string{"*"}, Secret: api.NewSigningSecret("hunter2")})
	must(t, err)
	if !w.Sensitive {
		t.Error("the journal would keep the secret")
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("test", slog.Any("write", w))
	if out := fmt.Sprintf("%v %+v %#v %s %q %x", w, w, w, w, w, w) + log.String(); strings.Contains(out, "hunter2") || strings.Contains(out, fmt.Sprintf("%x", "hunter2")) {
		t.Errorf("printed: %s", out)
	}
}

func TestRequestsCannotBeReplayed(t *testing.T) {
	c := fakeClient(t, func(r *http.Request) (*http.Response, error) {
		if r.GetBody != nil {
			t.Error("net/http could send the body again")
		}
		return jsonResponse(200, fundBody), nil
	})
	if _, err := sends[api.FundResult](t.Context(), c, idemKey)(api.FundWrite("card_1", api.Dollar)); err != nil {
		t.Error(err)
	}
	c = fakeClient(t, func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Accept-Encoding") != "identity" {
			t.Error("an inflater would copy the details")
		}
		return jsonResponse(200, detailsBody), nil
	})
	if _, err := c.CardDetails(t.Context(), "card_1"); err != nil {
		t.Error(err)
	}
}

// TestBodiesAreWiped checks the buffer of an answer after the call.
func TestBodiesAreWiped(t *testing.T) {
	spy := &spyBody{rest: []byte(detailsBody)}
	c := fakeClient(t, func(*http.Request) (*http.Response, error) {
		resp := jsonResponse(200, "")
		resp.Body, resp.ContentLength = spy, int64(len(detailsBody))
		return resp, nil
	})
	d, err := c.CardDetails(t.Context(), "card_1")
	if err != nil || d.PAN.Expose() != "4242424242424242" || d.ExpYear != 2029 || d.BillingAddress.ZIP != "1" {
		t.Fatalf("%+v, %v", d, err)
	}
	if bytes.Contains(spy.into, []byte("4242")) {
		t.Error("the number is left in the buffer")
	}
	d.Wipe()
	if !d.PAN.IsZero() || !d.CVV.IsZero() {
		t.Error("the details survive their wipe")
	}
}

// spyBody records the buffer it is read into.
type spyBody struct{ rest, into []byte }

func (s *spyBody) Read(p []byte) (int, error) {
	if s.into == nil {
		s.into = p
	}
	n := copy(p, s.rest)
	if s.rest = s.rest[n:]; len(s.rest) == 0 {
		return n, io.EOF
	}
	return n, nil
}

func (*spyBody) Close() error { return nil }

func TestEmptyAnswerToDelete(t *testing.T) {
	c := newClient(t, answer(204, "", ""))
	if _, err := sends[api.DeleteResult](t.Context(), c, idemKey)(api.DeleteWebhookWrite("wh_1")); err != nil {
		t.Error(err)
	}
	if _, err := sends[api.FreezeResult](t.Context(), c, idemKey)(api.FreezeWrite("card_1")); api.Outcome(err) != api.Unknown {
		t.Errorf("an empty answer to another write: %v", err)
	}
}

func TestNewIdempotencyKey(t *testing.T) {
	seen := map[api.IdempotencyKey]bool{}
	for range 1000 {
		k := api.NewIdempotencyKey()
		if len(k) < 22 || seen[k] {
			t.Fatalf("bad key %q", k)
		}
		seen[k] = true
	}
}

// TestOnlyIdentifiersAreInPaths, also of writes that come from a file.
func TestOnlyIdentifiersAreInPaths(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", ".", "..", "a/b", "a%2Fb", "..%2F3ds", "a;b", "a?b", "a#b", "a b", "a.b", "kärd", "a\x00", strings.Repeat("a", 129)} {
		if _, err := api.FreezeWrite(api.CardID(id)); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%q: %v", id, err)
		}
		w, err := api.FreezeWrite("card_1")
		must(t, err)
		w.Path = "/cards/" + id + "/freeze"
		if id == "a/b" {
			continue // Two parts.
		}
		c, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: nothing{t}})
		must(t, err)
		if _, err := sends[api.FundResult](t.Context(), c, api.NewIdempotencyKey())(w, nil); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%q is sent: %v", id, err)
		}
		if _, err := c.ReadRaw(t.Context(), api.Read{Route: "/cards/{card_id}", Segment: id}); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%q is read: %v", id, err)
		}
	}
}

// nothing is a network that nothing may be sent to.
type nothing struct{ t *testing.T }

func (n nothing) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("%s is sent", r.URL.EscapedPath())
	return nil, errors.New("nothing is sent")
}
