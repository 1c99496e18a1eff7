package identity_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/hub/identity"
)

func TestACertificateIsMadeOnceAndPinned(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "hub")
	now := time.Now() //nolint:forbidigo // TLS reads the system's clock
	cert, err := identity.Own(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	again, err := identity.Own(dir, now.AddDate(1, 0, 0))
	if err != nil || identity.Fingerprint(again) != identity.Fingerprint(cert) {
		t.Errorf("made anew: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, identity.File)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"balance":1,"currency":"USD"}`)) // The client has gone.
	}))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{cert}}
	server.StartTLS()
	defer server.Close()
	other, err := identity.Own(t.TempDir(), now)
	if err != nil {
		t.Fatal(err)
	}
	for pin, accepts := range map[string]bool{identity.Fingerprint(cert): true, identity.Fingerprint(other): false, "": false} {
		c, err := client.New(client.Config{BaseURL: server.URL + "/v1", Key: api.NewAPIKey("sk_live_hub_x"), Fingerprint: pin})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.WalletBalance(context.Background())
		if (err == nil) != accepts || err != nil && !errors.Is(err, api.ErrUnreachable) {
			t.Errorf("pin %q: %v", pin, err)
		}
		c.ResetConnections()
	}
	for _, pin := range []string{"x", "sha256:12", "md5:" + strings.Repeat("0", 64)} {
		if _, err := client.New(client.Config{BaseURL: "https://a/v1", Key: api.NewAPIKey("k"), Fingerprint: pin}); err == nil {
			t.Errorf("accepts %q", pin)
		}
	}
}
