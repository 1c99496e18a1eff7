//go:build long

package e2e

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
)

func TestAWebhookIsRegisteredAndItsSecretToldOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := ""
	story(t, options{dir: dir}, func(d *driver) {
		d.press("w")
		d.see("1 Webhooks  0", "no webhooks: n registers one")
		d.register("https://hooks.example.com/t0ken")
		d.see("Webhook registered", "hooks.example.com", "••••••••", "webhook hooks.example.com is registered")
		if d.calls.count("POST /v1/webhooks") != 1 {
			t.Error("it was not sent once")
		}
		d.press("r")
		d.see("whsec_", "hide")
		// It leaves the screen by itself, and when nobody looks.
		d.wait(16 * time.Second)
		d.seeNot("whsec_")
		d.see("••••••••")
		d.press("r")
		d.see("whsec_")
		d.send("\x1b[O")
		d.wait(500 * time.Millisecond)
		d.seeNot("whsec_")
		d.send("\x1b[I")
		d.press("y")
		d.see("signing secret of webhook hooks.example.com copied")
		secret = d.board.Text()
		if !strings.HasPrefix(secret, "whsec_") {
			t.Errorf("copied %q", secret)
		}
		d.press("esc")
		d.seeNot("Webhook registered")
		if _, held := d.vault.ReadSigning(api.WebhookID(firstHook(d))); held {
			t.Error("the vault still holds it")
		}
		d.see("1 Webhooks  1", "hooks.example.com/t0ken", "deposit.confirmed", "● active")
		d.wait(61 * time.Second) // The clipboard lets go of it.
		d.press("H")
		d.see("subscribe", "webhook h", "done")
		d.seeNot("t0ken")
	})
	kept := ""
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		kept += string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if secret == "" || strings.Contains(kept, secret) || strings.Contains(kept, "t0ken") {
		t.Errorf("the disk holds it: %s", kept)
	}
}

func TestASecretThatWasNotUsedIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("w")
		d.register("https://hooks.example.com/a")
		d.press("esc")
		d.see("Webhook registered", "not shown or copied yet: esc again")
		d.wait(time.Second)
		d.press("esc")
		d.seeNot("Webhook registered")
		// The next one leaves by itself.
		d.register("https://other.example.com/b")
		d.see("Webhook registered")
		d.wait(301 * time.Second)
		d.seeNot("Webhook registered")
		d.see("1 Webhooks  2")
	})
}

func TestAWebhookIsDeletedAfterAQuestion(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.api(http.MethodPost, "/webhooks", map[string]any{"url": "https://hooks.example.com/a", "events": []string{"deposit.pending"}})
		d.press("w")
		d.see("1 Webhooks  1")
		d.press("ctrl+x")
		d.see("Delete a webhook", "permanent", "▸Cancel")
		d.wait(time.Second)
		d.press("enter") // On Cancel.
		d.see("1 Webhooks  1")
		d.wait(time.Second)
		d.press("ctrl+x")
		d.confirmed()
		d.see("is deleted", "1 Webhooks  0")
		d.requests(1, "DELETE /v1/webhooks/")
	})
}

func TestAWebhookFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("w")
		d.wait(time.Second)
		d.press("n")
		d.write("http://plain.example.com")
		d.press("enter")
		d.see("has to begin with https://", "http://plain.example.com")
		d.press("down", "enter")
		d.see("http://plain.example.com")
		for range len("http://plain.example.com") {
			d.send("\x7f")
		}
		d.write("https://hooks.example.com")
		d.press("enter")
		d.see("choose at least one event")
		// All events stand alone.
		d.press("down", "space", "up", "space")
		d.see("[✓] all events")
		if strings.Count(d.screen(), "[✓]") != 1 {
			t.Errorf("picked beside all:\n%s", d.screen())
		}
		// A refusal comes back to the form.
		d.fault("POST /webhooks", "rate_limit", 1)
		d.press("enter")
		d.wait(time.Second)
		d.press("enter")
		d.wait(time.Second)
		d.see("Register a webhook", "https://hooks.example.com")
	})
}

func TestWebhooksAreNotWrittenWhenReadOnlyOrDry(t *testing.T) {
	t.Parallel()
	story(t, options{readOnly: true}, func(d *driver) {
		d.press("w")
		d.wait(time.Second)
		d.press("n")
		d.see("read-only: writes are off")
	})
	story(t, options{dryRun: true}, func(d *driver) {
		d.press("w")
		d.register("https://hooks.example.com/a")
		d.see("Dry run", "POST /webhooks", "deposit.confirmed")
		d.requests(0, "POST ")
	})
}

func TestAWebhookNobodyConfirmedIsLookedFor(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("w")
		d.fault("POST /webhooks", "server_error", 100)
		d.register("https://hooks.example.com/a")
		d.giveUp()
		d.wait(time.Second)
		d.press("x")
		d.see("Did it happen?", "registration of webhook hooks.example.com")
	})
}

func TestASecretThatComesToAPrivateScreenWaitsCovered(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.trouble("POST /webhooks", "latency", 1, 4000)
		d.press("w")
		d.register("https://hooks.example.com/a")
		d.press("P")
		d.wait(5 * time.Second)
		d.see("Private", "P shows it")
		d.seeNot("esc closes it")
		// What nobody has seen cannot be put away unseen.
		d.press("esc")
		d.wait(time.Second)
		d.press("esc")
		d.wait(time.Second)
		d.press("P")
		d.see("Webhook registered", "y copy")
		d.press("y")
		d.wait(time.Second)
		d.see("signing secret")
		d.press("esc")
		d.seeNot("Webhook registered")
	})
}
