package sandbox

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
)

// TestLogsTellNoSecrets reads everything that is logged while secrets go by,
// failures inside among it.
func TestLogsTellNoSecrets(t *testing.T) {
	var log bytes.Buffer
	c := start(t, Config{
		Quiet: true, NoLimits: true, Cards: -1, Path: filepath.Join(t.TempDir(), "world.db"), APIKeys: []string{testKey},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	id := c.newCard("50")
	details := c.send("GET", "/cards/"+id+"/details", "").want(200)
	hook := c.send("POST", "/webhooks", `{"url":"https://receiver.test/token-in-path","events":["*"]}`, key("key-of-mine")...).want(201)
	code := c.send("POST", "/sandbox/challenges", `{}`).want(201).text("otp")
	c.send("GET", "/cards?label=search-term", "").want(200)
	c.key = "sk_test_of_somebody"
	c.send("GET", "/cards", "").want(401)
	c.key = testKey
	if err := c.server.Close(); err != nil { // What is written fails from now on.
		t.Fatal(err)
	}
	if r := c.send("POST", "/cards/"+id+"/fund", `{"amount":5}`, key("key-of-mine")...).want(500, "internal_error"); r.text("message") != "internal error" {
		t.Errorf("a failure inside tells %s", r.raw)
	}
	if got := c.send("GET", "/cards/"+id, "").money("balance"); got != 5000 {
		t.Errorf("a write that failed left a balance of %s", got)
	}
	c.audit()
	if !strings.Contains(log.String(), "GET /cards/{card_id}/details") || !strings.Contains(log.String(), "request failed") {
		t.Errorf("the log lacks what it should tell: %s", log.String())
	}
	for name, secret := range map[string]string{
		"number": details.text("pan"), "last four": "-" + details.text("pan")[12:], "holder": details.text("holder_name"),
		"key": testKey, "wrong key": "sk_test_of_somebody", "signing secret": hook.text("secret"), "code": code,
		"receiver": "token-in-path", "idempotency key": "key-of-mine", "search": "search-term",
	} {
		if secret == "" || strings.Contains(log.String(), secret) {
			t.Errorf("the log tells the %s", name)
		}
	}
}
