package endpoint

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/push/pushtest"
)

func TestWhatIsCheckedOfAnAddress(t *testing.T) {
	const url = "http://127.0.0.1:8420/t0ken"
	hooks := []api.Webhook{{ID: "wh_1", URL: url}}
	good := Kept{Webhook: "wh_1", Secret: api.NewSigningSecret("whsec_1")}
	for _, tt := range []struct {
		name  string
		m     *memory
		hooks []api.Webhook
		want  string
		fails bool
	}{
		{"all is well", &memory{kept: good, has: true}, hooks, "came to this program in 0 ms; webhook wh_1", false},
		{"nothing was registered", &memory{}, hooks, "no webhook is registered yet", true},
		{"the webhook was deleted", &memory{kept: good, has: true}, nil, "not in the list", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			line := pushtest.Listen()
			cfg := Config{URL: url, Listen: "127.0.0.1:8420", Open: func(context.Context, string) (net.Listener, error) { return line, nil }, Transport: line.Transport(), Secrets: tt.m, Now: clock}
			text, err := Check(t.Context(), cfg, tt.hooks)
			if err != nil {
				text = err.Error()
			}
			if (err != nil) != tt.fails || !strings.Contains(text, tt.want) || strings.Contains(text, "t0ken") {
				t.Errorf("%s: %q", tt.name, text)
			}
		})
	}
}

func TestAnotherProgramAnswersTheCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		o := open(t, func(c *Config) { c.Secrets = m })
		must(t, o.Keep(t.Context(), "wh_1", api.SigningSecret{}))
		cfg := Config{Listen: "127.0.0.1:1:1", URL: o.URL, Transport: o.line.Transport(), Secrets: m, Now: clock}
		before := len(o.reports())
		text, err := Check(t.Context(), cfg, []api.Webhook{{ID: "wh_1", URL: api.Text(o.URL)}})
		if err != nil || !strings.Contains(text, "came to the program that listens at") {
			t.Errorf("%q, %v", text, err)
		}
		if len(o.reports()) != before {
			t.Error("it counts as a heartbeat of the other program")
		}
		m.kept.Secret = api.NewSigningSecret("whsec_other")
		if _, err := Check(t.Context(), cfg, []api.Webhook{{ID: "wh_1", URL: api.Text(o.URL)}}); err == nil || !strings.Contains(err.Error(), "another secret") {
			t.Errorf("with another secret: %v", err)
		}
	})
}
