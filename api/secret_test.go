package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const marker = "4111222233334444"

// holder has secrets where fmt does not ask for methods.
type holder struct {
	Name   string
	pan    PAN
	nested struct{ key *APIKey }
	list   []OTP
	lookup map[string]CVV
	Public SigningSecret
	any    any
}

func newHolder() holder {
	h := holder{Name: "x", pan: NewPAN(marker), list: []OTP{NewOTP(marker)}, Public: NewSigningSecret(marker)}
	key := NewAPIKey(marker)
	h.nested.key = &key
	h.lookup = map[string]CVV{"a": NewCVV(marker)}
	h.any = NewPAN([]byte(marker))
	return h
}

func TestSecretIsNeverFormatted(t *testing.T) {
	h := newHolder()
	values := []any{h, &h, h.pan, &h.pan, h.pan.Secret, h.list, h.lookup, h.nested, h.Public, []any{h.any}, CardDetails{PAN: h.pan, CVV: NewCVV(marker)}, Challenge{OTP: h.list[0]}}
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%b", "%c", "%U", "%e", "%t", "%p", "%T", "%10.3v"} {
			if leaks(fmt.Sprintf(verb, v)) {
				t.Errorf("%s of %T shows the secret", verb, v)
			}
		}
		var log bytes.Buffer
		for _, handler := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
			slog.New(handler).Info("test", slog.Any("value", v))
		}
		out, err := json.Marshal(v)
		var unsupported *json.UnsupportedTypeError
		if err != nil && !errors.As(err, &unsupported) {
			t.Error(err)
		}
		if leaks(log.String()) || leaks(string(out)) {
			t.Errorf("%T: logged or encoded", v)
		}
	}
	if got := fmt.Sprintf("%s %v", h.pan, fmt.Errorf("wrap: %v", h.Public)); got != "[redacted] wrap: [redacted]" {
		t.Errorf("got %s", got)
	}
}

// leaks looks for the marker in the forms that verbs and encoders give bytes.
func leaks(s string) bool {
	hex := fmt.Sprintf("%x", marker)
	list := fmt.Sprintf("%v", []byte(marker)[:8])
	list = strings.Trim(list, "[]")
	return strings.Contains(s, marker) || strings.Contains(strings.ToLower(s), hex) || strings.Contains(s, list) || strings.Contains(s, "NDExMTIyMjI")
}

func TestSecretLife(t *testing.T) {
	raw := []byte(marker)
	s := NewSecret(raw)
	clear(raw)
	if s.Expose() != marker || s.IsZero() || string(s.Bytes()) != marker {
		t.Fatal("the secret shares the caller's bytes")
	}
	if !s.Equal(NewSecret(marker)) || s.Equal(NewSecret("other")) || s.Equal(Secret{}) {
		t.Error("wrong comparison")
	}
	kept, copied := s.Bytes(), s
	s.Wipe()
	if !copied.IsZero() || copied.Expose() != "" || !bytes.Equal(kept, make([]byte, len(marker))) {
		t.Error("a copy survives the wipe")
	}
	Secret{}.Wipe()
	if !NewSecret("").IsZero() || !(Secret{}).Equal(NewSecret("")) {
		t.Error("an empty secret is something")
	}
}

func TestSecretJSON(t *testing.T) {
	tests := []struct{ in, want string }{
		{`"482913"`, "482913"},
		{`482913`, "482913"},
		{`"00\u00311"`, "0011"},
		{`""`, ""},
		{`null`, ""},
	}
	for _, tt := range tests {
		var o CVV
		if err := json.Unmarshal([]byte(tt.in), &o); err != nil || o.Expose() != tt.want {
			t.Errorf("%s: %q, %v", tt.in, o.Expose(), err)
		}
	}
	for _, bad := range []string{`true`, `["` + marker + `"]`, `{"a":"` + marker + `"}`} {
		var o CVV
		if err := json.Unmarshal([]byte(bad), &o); err == nil || leaks(err.Error()) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestACodeIsCleanedAsItIsDecoded, so that the screen, the clipboard and commands have the
// same one.
func TestACodeIsCleanedAsItIsDecoded(t *testing.T) {
	for in, want := range map[string]string{
		`"482913"`: "482913", `" 482 913\n"`: "482913", `"\u001b[31m4829\u202e13"`: "482913", `"A-7f"`: "A-7f",
		`"  "`: "", `"\u2003\u200b"`: "", `""`: "", `null`: "",
	} {
		var o OTP
		if err := json.Unmarshal([]byte(in), &o); err != nil || o.Expose() != want || o.IsZero() != (want == "") {
			t.Errorf("%s: %q, %v", in, o.Expose(), err)
		}
	}
	for _, bad := range []string{`true`, `482913`, `["` + marker + `"]`, `"` + strings.Repeat(marker, 5) + `"`} {
		var o OTP
		if err := json.Unmarshal([]byte(bad), &o); err == nil || leaks(err.Error()) || !o.IsZero() {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestAPIKeyMode(t *testing.T) {
	for key, want := range map[string]Mode{"sk_live_1": ModeLive, "sk_test_1": ModeTest, "sk_1": ModeUnknown, "": ModeUnknown} {
		if got := NewAPIKey(key).Mode(); got != want {
			t.Errorf("%s: %s", key, got)
		}
	}
	if ModeLive.String() != "live" || ModeTest.String() != "test" || ModeUnknown.String() != "unknown" {
		t.Error("wrong names")
	}
}

func TestHideSecrets(t *testing.T) {
	tests := []struct{ in, want string }{
		{"nothing here", "nothing here"},
		{"key sk_live_abc-1_2 refused", "key [redacted] refused"},
		{"sk_test_", "[redacted]"},
		{"card 4111 1111 1111 1111 declined", "card [redacted] declined"},
		{"4111-1111-1111-1111", "[redacted]"},
		{"4111111111111111", "[redacted]"},
		{"1234 4111111111111111 5", "[redacted]"},
		{"1234567890123", "[redacted]"},
		{"amount 250.00 of 5000", "amount 250.00 of 5000"},
		{"12 34", "12 34"},
		{"123456789012", "123456789012"},
	}
	for _, tt := range tests {
		if got := redactSecrets(tt.in); got != tt.want {
			t.Errorf("%q: %q", tt.in, got)
		}
	}
	if got := NewAPIKey("plainkey").Redact("a plainkey b"); got != "a [redacted] b" {
		t.Errorf("got %q", got)
	}
}
