package redact_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/config/redact"
)

func TestTextMasks(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"live key", "key sk_live_abcDEF123 refused", "key sk_live_[redacted] refused"},
		{"test key in JSON", `{"k":"sk_test_a.b-c/d+e="}`, `{"k":"sk_test_[redacted]"}`},
		{"key in upper case", "SK_LIVE_ABC", "sk_LIVE_[redacted]"},
		{"key inside a word", "xsk_live_abc", "xsk_live_[redacted]"},
		{"bearer", "Authorization: Bearer abc.def-1", "Authorization: Bearer [redacted]"},
		{"bearer with a key", "bearer sk_live_abc x", "bearer [redacted] x"},
		{"webhook secret", "secret is whsec_MfKQ9r8G/+= ok", "secret is [redacted] ok"},
		{"webhook secret, other spelling", "whooksec-12ab", "[redacted]"},
		{"16 digits", "pay 4111111111111111 now", "pay [redacted] now"},
		{"spaces", "4111 1111 1111 1111", "[redacted]"},
		{"dashes", "4111-1111-1111-1111.", "[redacted]."},
		{"no-break spaces", "4111\u00a01111\u00a01111\u00a01111", "[redacted]"},
		{"en dashes", "4111–1111–1111–1111", "[redacted]"},
		{"13 digits", "4222222222222", "[redacted]"},
		{"15 digits", "378282246310005", "[redacted]"},
		{"19 digits", "7211571655060195050", "[redacted]"},
		{"number and expiry in one run", "4111111111111111 1230 123", "[redacted]"},
		{"inside letters", "x4111111111111111y", "x[redacted]y"},
		{"named CVV", `{"cvv":"123","x":1}`, `{"cvv":"[redacted]","x":1}`},
		{"named code", "otp=482913 for card", "otp=[redacted] for card"},
		{"named key", "api_key: hunter2", "api_key: [redacted]"},

		{"plain text stays", "list cards: status 200", "list cards: status 200"},
		{"16 digits that fail Luhn stay", "4111111111111113", "4111111111111113"},
		{"zeros stay", "0000000000000000", "0000000000000000"},
		{"12 digits stay", "411111111111", "411111111111"},
		{"timestamp stays", "2026-11-21T03:34:20.123Z", "2026-11-21T03:34:20.123Z"},
		{"last four stay", "card ••4242", "card ••4242"},
		{"empty", "", ""},
		{"not UTF-8", "\xff\xfe", "\xff\xfe"},
	}
	r := redact.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := r.Text(tt.in); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzTextHidesKeyAndNumber(f *testing.F) {
	f.Add("", "")
	f.Add("GET /cards ", " failed")
	f.Add("\xff\"", "é'")
	f.Add("9", "9")
	f.Add("1 ", " 1")
	f.Add("bearer ", "\n")
	r := redact.New()
	f.Fuzz(func(t *testing.T, before, after string) {
		const key, pan = "sk_live_Zz9Zz9Zz9Zz9", "4000056655665556"
		if strings.Contains(before+after, "Zz9Zz9Zz9") || strings.Contains(before+after, pan[4:]) {
			t.Skip()
		}
		got := r.Text(before + key + " " + pan + after)
		if strings.Contains(got, "Zz9Zz9Zz9") || strings.Contains(got, pan) {
			t.Errorf("Text left a secret in %q", got)
		}
	})
}
