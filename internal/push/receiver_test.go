package push

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const secret = "whsec_test"

func sign(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}

// receiver is one that remembers what it delivered.
func receiver(header string, secrets ...string) (*Receiver, *[]Delivery) {
	var got []Delivery
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &Receiver{
		Path: "/hook",
		Secret: func() (all [][]byte) {
			for _, s := range secrets {
				all = append(all, []byte(s))
			}
			return all
		},
		Header:  header,
		Deliver: func(d Delivery) { got = append(got, d) },
		Now:     func() time.Time { return now },
	}, &got
}

func post(r *Receiver, body string, headers ...string) int {
	req := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w.Code
}

const challenge = `{"id":"evt_1","type":"3ds.challenge","created_at":"2026-03-01T12:00:00Z","data":{"id":"ch_1","card_id":"card_1"}}`

func TestOnlyASignedDeliveryCounts(t *testing.T) {
	good := sign(secret, challenge)
	for _, tt := range []struct {
		name    string
		header  string
		secrets []string
		headers []string
		want    int
	}{
		{"any header", "", []string{secret}, []string{"X-Whatever", good}, 204},
		{"with the name of the algorithm", "", []string{secret}, []string{"X-Whatever", "sha256=" + good}, 204},
		{"among others", "", []string{secret}, []string{"A", "b", "X-Signature", good}, 204},
		{"the header by name", "x-signature", []string{secret}, []string{"X-Signature", good}, 204},
		{"another header than the one by name", "x-signature", []string{secret}, []string{"X-Other", good}, 401},
		{"the secret before", "", []string{"new", secret}, []string{"X-Signature", good}, 204},
		{"another secret", "", []string{"other"}, []string{"X-Signature", good}, 401},
		{"no secret", "", nil, []string{"X-Signature", good}, 401},
		{"an empty secret", "", []string{""}, []string{"X-Signature", sign("", challenge)}, 401},
		{"no header", "", []string{secret}, nil, 401},
		{"in upper case", "", []string{secret}, []string{"X-Signature", strings.ToUpper(good)}, 401},
		{"of another body", "", []string{secret}, []string{"X-Signature", sign(secret, challenge+" ")}, 401},
		{"half of it", "", []string{secret}, []string{"X-Signature", good[:32]}, 401},
	} {
		r, got := receiver(tt.header, tt.secrets...)
		if code := post(r, challenge, tt.headers...); code != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, code, tt.want)
		}
		if n := len(*got); (n == 1) != (tt.want == 204) {
			t.Errorf("%s: %d deliveries", tt.name, n)
		}
	}
}

func TestWhatADeliverySays(t *testing.T) {
	for body, want := range map[string]Delivery{
		challenge:                              {Type: "3ds.challenge", Object: "ch_1"},
		`{"event":"deposit.pending"}`:          {Type: "deposit.pending"},
		`{"type":"unheard.of","data":{}}`:      {Type: "unheard.of"},
		`{"type":7}`:                           {},
		`not json`:                             {},
		``:                                     {},
		`{"type":"card.created","data":[1,2]}`: {Type: "card.created"},
	} {
		r, got := receiver("", secret)
		if code := post(r, body, "X-Signature", sign(secret, body)); code != 204 || len(*got) != 1 {
			t.Errorf("%s: %d, %d deliveries", body, code, len(*got))
			continue
		}
		d := (*got)[0]
		if d.Type != want.Type || d.Object != want.Object || d.At.IsZero() {
			t.Errorf("%s: %+v, want %+v", body, d, want)
		}
	}
}

func TestADeliveryCountsOnce(t *testing.T) {
	r, got := receiver("", secret)
	for range 3 {
		if code := post(r, challenge, "X-Signature", sign(secret, challenge)); code != 204 {
			t.Fatalf("%d", code)
		}
	}
	if len(*got) != 1 {
		t.Errorf("%d deliveries", len(*got))
	}
	for i := range 2 * seenKept {
		body := fmt.Sprintf(`{"id":"evt_%d"}`, i)
		post(r, body, "X-Signature", sign(secret, body))
	}
	if n, held := len(*got), len(r.seen.has); n != 1+2*seenKept || held != seenKept || len(r.seen.order) != seenKept {
		t.Errorf("%d deliveries, %d remembered", n, held)
	}
}

func TestWhatIsNoDeliveryIsRefused(t *testing.T) {
	r, got := receiver("", secret)
	signed := sign(secret, challenge)
	for request, want := range map[string]int{
		"PUT /hook": 405, "DELETE /hook": 405, "GET /hook": 204, "HEAD /hook": 204, "OPTIONS /hook": 204, "GET /hook?challenge=1": 204,
		"GET /": 404, "HEAD /other": 404, "PUT /": 404, "POST /": 404, "POST /other": 404, "POST /hook/": 404, "POST /hook/x": 404, "POST /x/../hook": 404, "POST /%68ook": 404,
	} {
		method, target, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		req := httptest.NewRequest(method, target, strings.NewReader(challenge))
		req.Header.Set("X-Signature", signed)
		r.ServeHTTP(w, req)
		if w.Code != want || w.Body.Len() > 0 || (w.Header().Get("Allow") != "") != (want == 405) {
			t.Errorf("%s: %d %q, Allow %q, want %d", request, w.Code, w.Body.String(), w.Header().Get("Allow"), want)
		}
	}
	large := string(bytes.Repeat([]byte("x"), bodyMost+1))
	if code := post(r, large, "X-Signature", sign(secret, large)); code != 413 {
		t.Errorf("64 KiB and a byte: %d", code)
	}
	if len(*got) != 0 {
		t.Errorf("%d deliveries", len(*got))
	}
}

// FuzzReceiver sends whatever comes to mind: nothing breaks it, and nothing without a
// signature counts.
func FuzzReceiver(f *testing.F) {
	f.Add(challenge, "X-Signature", sign(secret, challenge))
	f.Add("{", "A", "sha256=")
	f.Fuzz(func(t *testing.T, body, header, value string) {
		r, got := receiver("", secret)
		req := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
		req.Header[http.CanonicalHeaderKey(header)] = []string{value}
		r.ServeHTTP(httptest.NewRecorder(), req)
		if want := strings.TrimPrefix(value, "sha256=") == sign(secret, body); (len(*got) == 1) != want {
			t.Errorf("%d deliveries, signed: %v", len(*got), want)
		}
	})
}
