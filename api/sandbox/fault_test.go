package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func (c *client) fault(fields string) {
	c.t.Helper()
	c.send("POST", "/sandbox/faults", "{"+fields+"}").want(201)
}

func TestFaultsOfAnswers(t *testing.T) {
	c := quiet(t)
	c.fault(`"route":"GET /cards","kind":"rate_limit","times":2`)
	c.send("GET", "/bins", "").want(200)
	for range 2 {
		if r := c.send("GET", "/cards", "").want(429, "rate_limited"); r.header.Get("Retry-After") != "2" {
			t.Errorf("Retry-After %q", r.header.Get("Retry-After"))
		}
	}
	c.send("GET", "/cards", "").want(200)
	c.fault(`"route":"/cards","kind":"rate_limit_bare","times":1`)
	if r := c.send("GET", "/cards", "").want(429); r.header.Get("Retry-After") != "" {
		t.Error("there is a Retry-After")
	}
	c.fault(`"kind":"server_error","times":1`)
	c.send("GET", "/wallet/balance", "").want(500, "internal_error")
	c.fault(`"route":"*","kind":"bad_gateway"`)
	r := c.send("GET", "/bins", "").want(502)
	if !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") || !strings.Contains(string(r.raw), "<html>") {
		t.Errorf("answer %s", r.raw)
	}
	if got := len(c.send("GET", "/sandbox/faults", "").list()); got != 1 {
		t.Errorf("%d faults in force", got)
	}
	c.send("DELETE", "/sandbox/faults", "").want(200)
	c.send("GET", "/bins", "").want(200)
	c.fault(`"kind":"server_error","probability":0.5`)
	failed := 0
	for range 200 {
		if c.send("GET", "/bins", "").status == 500 {
			failed++
		}
	}
	if failed < 60 || failed > 140 {
		t.Errorf("%d of 200 failed at probability 0.5", failed)
	}
}

// TestFaultsOfConnections breaks answers in process and over sockets.
func TestFaultsOfConnections(t *testing.T) {
	for _, over := range []string{"process", "sockets"} {
		t.Run(over, func(t *testing.T) {
			c := quiet(t)
			ask := func(body string) error {
				_, err := c.try(t.Context(), "POST", "/cards", body)
				return err
			}
			if over == "sockets" {
				server := httptest.NewServer(c.server.Handler())
				defer server.Close()
				ask = func(body string) error {
					r, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/v1/cards", strings.NewReader(body))
					if err != nil {
						return err
					}
					r.Header.Set("Authorization", "Bearer "+testKey)
					resp, err := server.Client().Transport.RoundTrip(r)
					if err != nil {
						return err
					}
					_, err = io.ReadAll(resp.Body)
					return errors.Join(err, resp.Body.Close())
				}
			}
			count := func() string { return c.send("GET", "/cards", "").text("pagination.total") }
			body := `{"bin_id":"424242","amount":5}`
			c.fault(`"route":"POST /cards","kind":"connection_reset","times":1`)
			if err := ask(body); !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
				t.Errorf("reset: %v", err)
			}
			if got := count(); got != "0" {
				t.Errorf("%s cards after a reset", got)
			}
			c.fault(`"route":"POST /cards","kind":"cut_body","times":1`)
			if err := ask(body); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("cut: %v", err)
			}
			if got := count(); got != "1" {
				t.Errorf("%s cards after a cut body", got)
			}
			c.fault(`"route":"POST /cards","kind":"commit_then_timeout","times":1,"latency_ms":5`)
			if err := ask(body); err == nil {
				t.Error("there was an answer")
			}
			if got := count(); got != "2" {
				t.Errorf("%s cards after a lost answer", got)
			}
			if err := ask(body); err != nil {
				t.Errorf("after the faults: %v", err)
			}
		})
	}
}

func TestSlowAnswersEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := start(t, Config{Quiet: true, NoLimits: true})
		watch := c0(t)
		c.fault(`"route":"GET /bins","kind":"latency","latency_ms":1500,"times":1`)
		c.send("GET", "/bins", "").want(200)
		if got := watch(); got != 1500*time.Millisecond {
			t.Errorf("answered after %s", got)
		}
		c.fault(`"route":"POST /cards","kind":"commit_then_timeout","times":1`)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := c.try(ctx, "POST", "/cards", `{"bin_id":"424242","amount":5}`)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("lost answer: %v", err)
		}
		if got := watch(); got != 11500*time.Millisecond {
			t.Errorf("given up after %s", got)
		}
		if got := c.send("GET", "/cards", "").text("pagination.total"); got != "51" {
			t.Errorf("%s cards", got)
		}
		_, err = c.try(ctx, "GET", "/cards", "")
		if err == nil {
			t.Error("a request was served after its context")
		}
	})
}

func TestFaultsOfCodes(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1})
	c.newCard("50")
	id := c.send("POST", "/sandbox/challenges", `{"otp":"123456"}`).want(201).text("id")
	listed := func() any { return c.send("GET", "/3ds", "").want(200).list()[0]["otp"] }
	c.fault(`"kind":"code_missing","times":2`)
	for range 2 {
		if got := listed(); got != nil {
			t.Errorf("code %v", got)
		}
	}
	if got := c.send("GET", "/3ds/"+id, "").text("otp"); got != "123456" {
		t.Errorf("the challenge has code %q", got)
	}
	if got := listed(); got != "123456" {
		t.Errorf("code %v", got)
	}
	c.fault(`"kind":"code_late","latency_ms":3000`)
	if got := listed(); got != nil {
		t.Errorf("code %v", got)
	}
	c.now.advance(3 * time.Second)
	if got := listed(); got != "123456" {
		t.Errorf("code %v", got)
	}
}

func TestFaultsOfWebhooks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sink := newReceiver()
		c := start(t, Config{
			Quiet: true, NoLimits: true, Cards: -1, WebhookClient: &http.Client{Transport: inBubble{sink}},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.server.Run(ctx) }()
		c.send("POST", "/webhooks", `{"url":"https://receiver.test/hook","events":["*"]}`).want(201)
		story := func() string {
			sink.mu.Lock()
			sink.got = nil
			sink.mu.Unlock()
			id := c.newCard("5")
			c.send("POST", "/cards/"+id+"/freeze", "").want(200)
			c.send("POST", "/cards/"+id+"/unfreeze", "").want(200)
			<-time.After(10 * time.Second)
			return strings.ReplaceAll(fmt.Sprint(sink.types()), "card.", "")
		}
		for _, step := range []struct{ fault, want string }{
			{"", "[created frozen unfrozen]"},
			{`"kind":"webhook_drop","times":1`, "[frozen unfrozen]"},
			{`"kind":"webhook_duplicate","times":1`, "[created created frozen unfrozen]"},
			{`"kind":"webhook_reorder","times":1`, "[frozen unfrozen created]"},
			{"", "[created frozen unfrozen]"},
		} {
			if step.fault != "" {
				c.fault(step.fault)
			}
			if got := story(); got != step.want {
				t.Errorf("%s: %s, want %s", step.fault, got, step.want)
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestRefusedFaults(t *testing.T) {
	c := quiet(t)
	for _, body := range []string{
		`{}`, `{"kind":"boom"}`, `{"kind":"latency"}`, `{"kind":"code_late"}`, `{"kind":"latency","latency_ms":0}`,
		`{"kind":"latency","latency_ms":1.5}`, `{"kind":"server_error","route":"/boom"}`, `{"kind":"server_error","times":0}`,
		`{"kind":"server_error","probability":0}`, `{"kind":"server_error","probability":1.1}`,
		`{"kind":"server_error","probability":"x"}`, `{"kind":"server_error","times":"x"}`, `[]`, `{`,
	} {
		c.send("POST", "/sandbox/faults", body).want(400, "invalid_request")
	}
}
