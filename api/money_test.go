package api

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
)

func TestParseUSD(t *testing.T) {
	tests := []struct {
		in   string
		want USD
		err  error
	}{
		{"0", 0, nil},
		{"-0", 0, nil},
		{"12", 12 * Dollar, nil},
		{"12480.22", 12_480_220_000, nil},
		{"-3.10", -3_100_000, nil},
		{"1e2", 100 * Dollar, nil},
		{"1E+2", 100 * Dollar, nil},
		{"12.5e-1", 1_250_000, nil},
		{"10.000", 10 * Dollar, nil},
		{"0.125", 125_000, nil},
		{"0.30000000000000004", 300_000, nil},
		{"12480.219999999999", 12_480_220_000, nil},
		{"5.551115123125783e-17", 0, nil},
		{"-1e-17", 0, nil},
		{"1e-999999999999", 0, nil},
		{"1.1234560000", 1_123_456, nil},
		{"384.831234567", 0, errTooFine},
		{"0.0000005", 0, errTooFine},
		{"1234567.123456789", 0, errTooFine},
		{"0.5e-6", 0, errTooFine},
		{"4e-7", 0, errTooFine},
		{"1e-400", 0, nil},
		{"0e999999999999999999999", 0, nil},
		{"1e-999999999999999999999", 0, nil},
		{"9223372036854.775807", 9223372036854775807, nil},
		{"-9223372036854.775807", -9223372036854775807, nil},
		{"9223372036854.7758067", 9223372036854775807, nil},
		{"9223372036854.7758075", 0, errTooBig},
		{"18446744073709.5516155", 0, errTooBig},
		{"9223372036854.775808", 0, errTooBig},
		{"1e400", 0, errTooBig},
		{"1e999999999999999999999", 0, errTooBig},
		{"100000000000000000000", 0, errTooBig},
		{"", 0, errNotNumber},
		{"-", 0, errNotNumber},
		{"+1", 0, errNotNumber},
		{"01", 0, errNotNumber},
		{".5", 0, errNotNumber},
		{"5.", 0, errNotNumber},
		{"1e", 0, errNotNumber},
		{"1e+", 0, errNotNumber},
		{"1,000", 0, errNotNumber},
		{" 1", 0, errNotNumber},
		{"1 ", 0, errNotNumber},
		{"NaN", 0, errNotNumber},
		{"0x10", 0, errNotNumber},
		{"١٢", 0, errNotNumber},
		{`"1"`, 0, errNotNumber},
	}
	for _, tt := range tests {
		got, err := ParseUSD(tt.in)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ParseUSD(%q) = %d, %v; want %d, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestUSDText(t *testing.T) {
	tests := []struct {
		in                 USD
		text, grouped, out string
	}{
		{0, "0.00", "0.00", "0"},
		{Cent, "0.01", "0.01", "0.01"},
		{-3_100_000, "-3.10", "-3.10", "-3.1"},
		{12_480_220_000, "12480.22", "12,480.22", "12480.22"},
		{250 * Dollar, "250.00", "250.00", "250"},
		{125_000, "0.125", "0.125", "0.125"},
		{1, "0.000001", "0.000001", "0.000001"},
		{1_234_567 * Dollar, "1234567.00", "1,234,567.00", "1234567"},
		{-123_456 * Dollar, "-123456.00", "-123,456.00", "-123456"},
		{-9223372036854775808, "-9223372036854.775808", "-9,223,372,036,854.775808", "-9223372036854.775808"},
	}
	for _, tt := range tests {
		out, err := json.Marshal(tt.in)
		if tt.in.String() != tt.text || tt.in.Grouped() != tt.grouped || string(out) != tt.out || err != nil {
			t.Errorf("%d: %s, %s, %s, %v", tt.in, tt.in, tt.in.Grouped(), out, err)
		}
	}
}

func TestUSDJSON(t *testing.T) {
	var v struct {
		A USD
		B *USD
		C *USD
	}
	must(t, json.Unmarshal([]byte(`{"A": 1.50, "B": null, "C": -0.5}`), &v))
	if v.A != 1_500_000 || v.B != nil || *v.C != -500_000 {
		t.Errorf("got %+v", v)
	}
	for _, bad := range []string{`{"A":"1.50"}`, `{"A":true}`, `{"A":[]}`, `{"A":{}}`, `{"A":1e99}`} {
		if json.Unmarshal([]byte(bad), &v) == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestWholeCents(t *testing.T) {
	if !(12 * Cent).WholeCents() || (12*Cent + 1).WholeCents() {
		t.Error("a fraction of a cent is not seen")
	}
}

func FuzzParseUSD(f *testing.F) {
	for _, s := range []string{"0", "-1.5", "1e2", "0.30000000000000004", "1e-7", "9223372036854.775807", "1e400", "00", "-", "5."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseUSD(s)
		var raw json.RawMessage
		isNumber := json.Unmarshal([]byte(s), &raw) == nil && s != "" && strings.TrimSpace(s) == s && strings.ContainsAny(s[:1], "-0123456789")
		if err == nil && !isNumber || errors.Is(err, errNotNumber) && isNumber {
			t.Fatalf("%q: %v, a JSON number: %v", s, err, isNumber)
		}
		if err != nil {
			return
		}
		again, err := ParseUSD(got.String())
		if err != nil || again != got {
			t.Fatalf("%q: %d became %d, %v", s, got, again, err)
		}
		if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 6 || len(s) > 100 {
			return // Too far for the exact check.
		}
		exact, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q is not rational", s)
		}
		diff := exact.Mul(exact, big.NewRat(int64(Dollar), 1)).Sub(exact, big.NewRat(int64(got), 1))
		if diff.Abs(diff).Cmp(big.NewRat(1, 2)) > 0 {
			t.Fatalf("%q: %d is off by %v", s, got, diff)
		}
	})
}
