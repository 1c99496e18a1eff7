//go:build long

package e2e

import (
	"testing"
	"time"
)

func TestAWebhookBringsACodeAtOnceAndLanesRest(t *testing.T) {
	t.Parallel()
	h := &hooks{}
	story(t, options{hooks: h}, func(d *driver) {
		c := d.pick()
		d.wait(3 * time.Second)
		d.challenge(c.id, "Netflix", "111222", 1)
		d.wait(3 * time.Second)
		d.see("111 222", " push ─╯")
		d.wait(5 * time.Second)
		d.challenge(c.id, "Netflix", "333444", 1)
		d.wait(200 * time.Millisecond)
		d.see("333 444", "● live")
		d.seeNot("no push")
		d.press("B")
		d.see("push: webhooks tell of what is new, lanes rest")
		d.press("esc")

		h.down.Store(true)
		d.wait(61 * time.Second)
		d.see("no push", "every 1s")
		d.challenge(c.id, "Netflix", "555666", 1)
		d.wait(1500 * time.Millisecond)
		d.see("555 666")
		d.press("B")
		d.see("polling: no heartbeat for 60 s: connection refused")
		d.press("esc")
		for _, size := range [][2]int{{100, 30}, {80, 24}} {
			d.resize(size[0], size[1])
			d.wait(time.Second)
			d.see("live")
		}
	})
	if h.kept == nil || h.kept.Webhook == "" {
		t.Error("the webhook is not remembered")
	}
}

func TestAWebhookIsRegisteredOnceForAllSessions(t *testing.T) {
	t.Parallel()
	h := &hooks{}
	data := t.TempDir() + "/world.db"
	for session := range 3 {
		story(t, options{hooks: h, data: data}, func(d *driver) {
			d.wait(3 * time.Second)
			d.press("w")
			d.wait(time.Second)
			d.see("127.0.0.1:8420", "1 Webhooks")
			if n := d.calls.count("POST /v1/webhooks"); n != map[bool]int{true: 1}[session == 0] {
				t.Errorf("session %d registers %d times", session, n)
			}
			d.seeNot("whsec_", "no push")
		})
	}
}

func TestAReadOnlyWindowRegistersNothing(t *testing.T) {
	t.Parallel()
	story(t, options{hooks: &hooks{}, readOnly: true}, func(d *driver) {
		d.wait(3 * time.Second)
		d.see("polling: not registered: read-only", "no push")
		d.requests(0, "POST /")
	})
}

func TestADeletedWebhookIsSaidAndNotMadeAnew(t *testing.T) {
	t.Parallel()
	story(t, options{hooks: &hooks{}}, func(d *driver) {
		d.wait(3 * time.Second)
		d.press("w")
		d.wait(time.Second)
		d.press("ctrl+x")
		d.confirmed()
		d.wait(time.Second)
		d.see("no push")
		d.press("B")
		d.see("the webhook was deleted; a restart registers it again")
		d.press("esc")
		d.wait(6 * time.Minute)
		d.requests(1, "POST /v1/webhooks")
	})
}
