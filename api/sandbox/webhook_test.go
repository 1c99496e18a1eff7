package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// receiver records what it was sent, and fails when told to.
type receiver struct {
	mu     sync.Mutex
	got    []parcel
	fails  func(p parcel) bool
	arrive chan struct{}
}

type parcel struct {
	signature, raw string
	ID, Type       string
	Created        string         `json:"created_at"`
	Data           map[string]any `json:"data"`
}

func newReceiver() *receiver { return &receiver{arrive: make(chan struct{}, 1000)} }

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	raw, err := io.ReadAll(q.Body)
	p := parcel{signature: q.Header.Get("X-Signature"), raw: string(raw)}
	if err != nil || json.Unmarshal(raw, &p) != nil || q.Method != "POST" || q.Header.Get("Content-Type") != "application/json" {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails != nil && r.fails(p) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.got = append(r.got, p)
	r.arrive <- struct{}{}
}

func (r *receiver) types() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.got {
		list = append(list, p.Type)
	}
	return list
}

// inBubble replaces the network in virtual time.
type inBubble struct{ handler http.Handler }

func (b inBubble) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// TestEveryEventArrives lets all that can happen happen, in virtual time.
func TestEveryEventArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newReceiver()
		c := start(t, Config{
			Quiet: true, NoLimits: true, Cards: -1, WebhookClient: &http.Client{Transport: inBubble{sink}},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.server.Run(ctx) }()

		hook := c.send("POST", "/webhooks", `{"url":"https://receiver.test/hook","events":["*"]}`).want(201)
		id := c.newCard("100")
		c.send("POST", "/cards/"+id+"/fund", `{"amount":10}`).want(200)
		c.send("POST", "/cards/"+id+"/freeze", "").want(200)
		c.send("POST", "/cards/"+id+"/freeze", "").want(200) // No change, no event.
		c.send("POST", "/cards/"+id+"/unfreeze", "").want(200)
		c.spend(id, "authorization", "5").want(201)
		c.spend(id, "settlement", "5").want(201)
		c.spend(id, "refund", "5").want(201)
		c.spend(id, "settlement", "500").want(201)
		c.send("POST", "/sandbox/challenges", `{"card_id":"`+id+`"}`).want(201)
		d := c.send("POST", "/sandbox/deposits", `{"currency":"btc","amount_usd":5}`).want(201)
		c.send("POST", "/sandbox/deposits/"+d.text("id")+"/confirm", "").want(200)
		c.send("DELETE", "/cards/"+id, "").want(200)
		<-time.After(time.Second)
		synctest.Wait()

		want := allEvents()
		got := sink.types()
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		seen := map[string]bool{}
		for _, p := range sink.got {
			mac := hmac.New(sha256.New, []byte(hook.text("secret")))
			mac.Write([]byte(p.raw))
			if p.signature != hex.EncodeToString(mac.Sum(nil)) {
				t.Errorf("%s is not signed", p.Type)
			}
			if !strings.HasPrefix(p.ID, "evt_") || seen[p.ID] || p.Created == "" || p.Data["id"] == nil {
				t.Errorf("event %s", p.raw)
			}
			seen[p.ID] = true
		}
		c.send("DELETE", "/webhooks/"+hook.text("id"), "").want(200)
		c.newCard("5")
		<-time.After(time.Minute)
		if n := len(sink.types()); n != len(want) {
			t.Errorf("%d events after the webhook was deleted", n-len(want))
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestDeliveryIsRetriedInOrder lets the receiver fail for a while.
func TestDeliveryIsRetriedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newReceiver()
		var tries []time.Duration
		begin := c0(t)
		sink.fails = func(p parcel) bool {
			if p.Type != "card.created" || p.Data["label"] != "slow" {
				return false
			}
			tries = append(tries, begin())
			return len(tries) < 5
		}
		c := start(t, Config{
			Quiet: true, NoLimits: true, Cards: -1, WebhookClient: &http.Client{Transport: inBubble{sink}},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.server.Run(ctx) }()
		c.send("POST", "/webhooks", `{"url":"https://receiver.test/hook","events":["card.created","card.frozen","card.funded"]}`).want(201)
		slow := c.send("POST", "/cards", `{"bin_id":"424242","amount":5,"label":"slow"}`).want(201).text("id")
		c.send("POST", "/cards/"+slow+"/freeze", "").want(200)
		c.send("POST", "/cards/"+slow+"/fund", `{"amount":5}`).want(200)
		c.newCard("7")
		<-time.After(5 * time.Second)
		if got := fmt.Sprint(sink.types()); got != "[card.created]" {
			t.Errorf("while the first event fails, %s arrived", got)
		}
		<-time.After(20 * time.Second)
		if got := fmt.Sprint(sink.types()); got != "[card.created card.created card.frozen card.funded]" {
			t.Errorf("arrived %s", got)
		}
		// The pauses double: 0, 1, 3, 7, 15 seconds.
		if got := fmt.Sprint(tries); got != "[0s 1s 3s 7s 15s]" {
			t.Errorf("tried at %s", got)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// c0 starts a stopwatch of the bubble's time.
func c0(t *testing.T) func() time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
	t.Cleanup(cancel)
	end, _ := ctx.Deadline()
	return func() time.Duration {
		probe, stop := context.WithTimeout(context.Background(), 24*time.Hour)
		defer stop()
		later, _ := probe.Deadline()
		return later.Sub(end)
	}
}

// TestDeliveryIsGivenUp lets the receiver fail for good.
func TestDeliveryIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newReceiver()
		tries := 0
		sink.fails = func(p parcel) bool {
			if p.Type == "card.created" {
				tries++
			}
			return p.Type == "card.created"
		}
		c := start(t, Config{
			Quiet: true, NoLimits: true, Cards: -1, WebhookClient: &http.Client{Transport: inBubble{sink}},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.server.Run(ctx) }()
		c.send("POST", "/webhooks", `{"url":"https://receiver.test/hook","events":["*"]}`).want(201)
		id := c.newCard("7")
		c.send("POST", "/cards/"+id+"/freeze", "").want(200)
		<-time.After(10 * time.Minute)
		if got := fmt.Sprint(sink.types()); tries != maxAttempts || got != "[card.frozen]" {
			t.Errorf("%d tries, then %s", tries, got)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestUntrustedReceiversAndRedirectsFail(t *testing.T) {
	sink := newReceiver()
	untrusted := httptest.NewUnstartedServer(sink)
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	redirect := httptest.NewTLSServer(http.RedirectHandler(untrusted.URL, http.StatusPermanentRedirect))
	defer redirect.Close()
	c := quiet(t)
	to := webhookRow{url: untrusted.URL}
	if err := c.server.post(t.Context(), to, []byte("{}")); err == nil {
		t.Error("an unknown authority was trusted")
	}
	courier := newWebhookClient()
	courier.Transport = redirect.Client().Transport
	c.server.webhookClient = courier
	to.url = redirect.URL
	if err := c.server.post(t.Context(), to, []byte("{}")); err == nil || len(sink.got) != 0 {
		t.Errorf("a redirect was followed: %v", err)
	}
}

func TestRegistrationOfWebhooks(t *testing.T) {
	c := quiet(t)
	for _, r := range []struct {
		body   string
		status int
	}{
		{`{"url":"https://x.test/h","events":["*"]}`, 201},
		{`{"url":"https://x.test:8443/h?a=b","events":["card.created","3ds.challenge"]}`, 201},
		{`{"url":"https://x.test/h","events":["card.created"],"secret":"mine"}`, 201},
		{`{"url":"https://x.test/h","events":["card.created"],"secret":null}`, 201},
		{`{"url":"https://x.test/h","events":["card.created"],"secret":""}`, 400},
		{`{"url":"https://x.test/h","events":[]}`, 400},
		{`{"url":"https://x.test/h"}`, 400},
		{`{"url":"https://x.test/h","events":null}`, 400},
		{`{"url":"https://x.test/h","events":"*"}`, 400},
		{`{"url":"https://x.test/h","events":["*","card.created"]}`, 400},
		{`{"url":"https://x.test/h","events":["card.exploded"]}`, 400},
		{`{"url":"https://x.test/h","events":[7]}`, 400},
		{`{"events":["*"]}`, 400},
		{`{"url":"","events":["*"]}`, 400},
		{`{"url":"http://x.test/h","events":["*"]}`, 400},
		{`{"url":"http://127.0.0.1/h","events":["*"]}`, 400},
		{`{"url":"ftp://x.test/h","events":["*"]}`, 400},
		{`{"url":"https://","events":["*"]}`, 400},
		{`{"url":"https:///h","events":["*"]}`, 400},
		{`{"url":"https://a:b@x.test/","events":["*"]}`, 400},
		{`{"url":"x.test/h","events":["*"]}`, 400},
		{`{"url":"https://x.test/\u0000","events":["*"]}`, 400},
		{`{"url":7,"events":["*"]}`, 400},
	} {
		if got := c.send("POST", "/webhooks", r.body); got.status != r.status {
			t.Errorf("%s: %d, want %d", r.body, got.status, r.status)
		}
	}
	list := c.send("GET", "/webhooks", "").want(200)
	if list.raw[0] != '[' || len(list.list()) != 4 || strings.Contains(string(list.raw), "secret") {
		t.Errorf("list %s", list.raw)
	}
	id := list.ids()[0]
	gone := c.send("DELETE", "/webhooks/"+id, "").want(200)
	if gone.text("id") != id || gone.at("deleted") != true {
		t.Errorf("deleted: %s", gone.raw)
	}
	c.send("DELETE", "/webhooks/"+id, "").want(404, "not_found")

	plain := open(t, Config{Quiet: true, NoLimits: true, AllowHTTPWebhooks: true})
	for url, status := range map[string]int{
		"http://127.0.0.1:9/h": 201, "http://localhost/h": 201, "http://[::1]:9/h": 201, "http://x.test/h": 400,
		"http://127.0.0.1.x.test/h": 400, "https://x.test": 201,
	} {
		plain.send("POST", "/webhooks", `{"url":"`+url+`","events":["*"]}`).want(status)
	}
}

// TestHangingReceiverHoldsUpNobody lets one of two receivers never answer.
func TestHangingReceiverHoldsUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sink := newReceiver()
		c := start(t, Config{
			Quiet: true, NoLimits: true, Cards: -1, WebhookClient: &http.Client{Transport: inBubble{
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Host == "hanging.test" {
						<-r.Context().Done()
						return
					}
					sink.ServeHTTP(w, r)
				}),
			}},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.server.Run(ctx) }()
		for _, host := range []string{"hanging", "receiver"} {
			c.send("POST", "/webhooks", `{"url":"https://`+host+`.test/hook","events":["*"]}`).want(201)
		}
		for range 40 {
			c.newCard("1")
		}
		<-time.After(time.Second)
		if n := len(sink.types()); n != 40 {
			t.Errorf("%d of 40 events arrived", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
