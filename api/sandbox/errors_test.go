package sandbox

import (
	"strings"
	"testing"
)

func TestEveryRefusalHasTheErrorBody(t *testing.T) {
	c := quiet(t)
	card := c.newCard("50")
	for _, r := range []struct {
		name, method, path, body string
		extra                    []string
		status                   int
		id                       string
	}{
		{name: "no key", method: "GET", path: "/cards", extra: []string{"Authorization", ""}, status: 401, id: "unauthorized"},
		{name: "unknown key", method: "GET", path: "/cards", extra: []string{"Authorization", "Bearer sk_test_other"}, status: 401},
		{name: "live key", method: "GET", path: "/cards", extra: []string{"Authorization", "Bearer sk_live_x"}, status: 401},
		{name: "other scheme", method: "GET", path: "/cards", extra: []string{"Authorization", "Basic " + testKey}, status: 401},
		{name: "key before path", method: "GET", path: "/nothing", extra: []string{"Authorization", "Bearer x"}, status: 401},
		{name: "unknown path", method: "GET", path: "/nothing", status: 404, id: "not_found"},
		{name: "trailing slash", method: "GET", path: "/cards/", status: 404},
		{name: "doubled slash", method: "GET", path: "//cards", status: 404},
		{name: "unknown below a card", method: "GET", path: "/cards/" + card + "/x", status: 404},
		{name: "wrong method", method: "PUT", path: "/cards", status: 405, id: "method_not_allowed"},
		{name: "options", method: "OPTIONS", path: "/cards", status: 405},
		{name: "head", method: "HEAD", path: "/cards", status: 405},
		{name: "unknown card", method: "GET", path: "/cards/card_x", status: 404, id: "not_found"},
		{name: "escaped card", method: "GET", path: "/cards/%2e%2e%2fcards", status: 404},
		{name: "unknown transaction", method: "GET", path: "/transactions/txn_x", status: 404},
		{name: "unknown challenge", method: "GET", path: "/3ds/3ds_x", status: 404},
		{name: "unknown webhook", method: "DELETE", path: "/webhooks/wh_x", status: 404},
		{name: "unknown card to fund", method: "POST", path: "/cards/card_x/fund", body: `{"amount":5}`, status: 404},
		{name: "not JSON", method: "POST", path: "/cards", body: `{"bin_id":`, status: 400, id: "invalid_request"},
		{name: "two values", method: "POST", path: "/cards", body: `{} {}`, status: 400},
		{name: "array", method: "POST", path: "/cards", body: `[]`, status: 400},
		{name: "null", method: "POST", path: "/cards", body: `null`, status: 400},
		{name: "bad UTF-8", method: "POST", path: "/cards", body: "{\"label\":\"\xff\"}", status: 400},
		{name: "no body", method: "POST", path: "/cards", status: 400},
		{name: "form body", method: "POST", path: "/cards", body: "bin_id=1", extra: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 400},
		{name: "text body", method: "POST", path: "/cards/" + card + "/freeze", body: "x", extra: []string{"Content-Type", "text/plain"}, status: 400},
		{name: "garbled type", method: "POST", path: "/cards", body: "{}", extra: []string{"Content-Type", ";;"}, status: 400},
		{name: "large body", method: "POST", path: "/cards", body: `{"label":"` + strings.Repeat("x", 1<<20) + `"}`, status: 413, id: "body_too_large"},
		{name: "long key", method: "POST", path: "/cards", body: `{}`, extra: []string{"X-Idempotency-Key", strings.Repeat("k", 256)}, status: 400},
		{name: "bad query", method: "GET", path: "/cards?label=%zz", status: 400},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := c.send(r.method, r.path, r.body, r.extra...)
			got.t = t
			got.want(r.status)
			if r.id != "" {
				got.want(r.status, r.id)
			}
			if r.status == 405 && got.header.Get("Allow") == "" {
				t.Error("no Allow header")
			}
		})
	}
	deep := strings.Repeat("[", 100_000)
	c.send("POST", "/cards", `{"metadata":`+deep).want(400, "invalid_request")
}

func TestKeysAreSandboxKeys(t *testing.T) {
	for _, key := range []string{"sk_live_abc", "sk_test_", "", "abc"} {
		if s, err := Open(t.Context(), Config{APIKeys: []string{key}}); err == nil {
			t.Errorf("a key was accepted that is none: %v", s.Close())
		} else if key != "" && strings.Contains(err.Error(), key) && key != "sk_test_" {
			t.Error("the error tells the key")
		}
	}
	for _, wallet := range []string{"abc", "-1", "0.001", "1e30"} {
		if s, err := Open(t.Context(), Config{Wallet: wallet}); err == nil {
			t.Errorf("wallet %s was accepted: %v", wallet, s.Close())
		}
	}
}
