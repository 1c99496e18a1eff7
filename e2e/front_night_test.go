//go:build night

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Secrets that cannot be mistaken for anything else: a CVV and a code are too
// short to be looked for in a log.
const (
	frontCVV  = "90713370942"
	frontCode = "830592617"
)

// front stands between the program and the built sandbox. It gives every card
// a CVV and every challenge a code that can be looked for, and answers for the
// details of a card out of its memory, which the limit of the sandbox is not
// asked about.
type front struct {
	address string
	card    codeAndDetails // the card that reveals are about
	webhook string         // a signing secret

	mu      sync.Mutex
	details map[string][]byte
}

func openFront(t *testing.T, exe string) *front {
	t.Helper()
	f := &front{details: map[string][]byte{}}
	inner, err := url.Parse(strings.TrimSuffix(serve(t, exe), "/v1"))
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(inner)
	proxy.ModifyResponse = f.mark
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		known := f.details[r.URL.Path]
		f.mu.Unlock()
		if known != nil {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(known)
			return
		}
		r.Header.Del("Accept-Encoding")
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	f.address = server.URL + "/v1"
	f.card = newest(t, f.address)
	f.webhook = f.subscribe(t)
	return f
}

var (
	cvvs = regexp.MustCompile(`"cvv":\s*"\d+"`)
	otps = regexp.MustCompile(`"otp":\s*"\d+"`)
)

func (f *front) mark(res *http.Response) error {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	body = cvvs.ReplaceAll(body, []byte(`"cvv":"`+frontCVV+`"`))
	body = otps.ReplaceAll(body, []byte(`"otp":"`+frontCode+`"`))
	if strings.HasSuffix(res.Request.URL.Path, "/details") && res.StatusCode == http.StatusOK {
		f.mu.Lock()
		f.details[res.Request.URL.Path] = body
		f.mu.Unlock()
	}
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	res.Header.Set("Content-Length", fmt.Sprint(len(body)))
	return nil
}

// subscribe registers a webhook and gives its secret.
func (f *front) subscribe(t *testing.T) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.address+"/webhooks",
		strings.NewReader(`{"url":"https://hooks.example.com/x","events":["*"]}`))
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+binaryKey)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Idempotency-Key", "front")
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer func() { _ = res.Body.Close() }()
	var made map[string]any
	must(t, json.NewDecoder(res.Body).Decode(&made))
	return text(t, made["secret"])
}

// canaries are what must be nowhere.
func (f *front) canaries() []canary {
	return []canary{
		{"number", f.card.pan}, {"CVV", frontCVV}, {"code", frontCode}, {"key", binaryKey}, {"webhook secret", f.webhook},
	}
}

// home makes a home whose configuration knows the account. The key is in it,
// in a file of 0600 that the user made.
func (f *front) home(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, dir := range []string{"config/cardtop", "tmp", "run"} {
		must(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	config := fmt.Sprintf("profile = \"main\"\nlog_level = \"debug\"\n[profiles.main]\nbase_url = %q\napi_key = %q\n", f.address, binaryKey)
	must(t, os.WriteFile(filepath.Join(home, "config", "cardtop", "config.toml"), []byte(config), 0o600))
	return home
}
