package logfile

import (
	"bytes"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// broken panics when it is asked for its text.
type broken struct{}

func (broken) Error() string { panic("4111111111111111") }

// late gives its value when it is logged.
type late struct{ v slog.Value }

func (l late) LogValue() slog.Value { return l.v }

func line(attrs ...slog.Attr) string {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: masker()}))
	log.LogAttrs(nil, slog.LevelInfo, "message", attrs...) //nolint:staticcheck // no handler here reads the context
	_, text, _ := strings.Cut(strings.TrimSuffix(out.String(), "\n"), "msg=message")
	return strings.TrimPrefix(text, " ")
}

func TestMasker(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		attr slog.Attr
		want string
	}{
		{"method", slog.String(KeyMethod, "GET"), "method=GET"},
		{"route", slog.String(KeyRoute, "/cards/{card_id}"), "route=/cards/{card_id}"},
		{"status", slog.Int(KeyStatus, 200), "status=200"},
		{"time", slog.Int64(KeyMS, 12), "ms=12"},
		{"span", slog.Duration("wait", time.Second), "wait=1s"},
		{"bool", slog.Bool("ok", true), "ok=true"},
		{"float", slog.Float64("load", 0.5), "load=0.5"},
		{"error", slog.Any(KeyError, errors.New("no route")), `error="no route"`},
		{"nothing", slog.Any("x", nil), "x=nil"},

		{"number as an integer", slog.Int64("x", 4111111111111111), "x=[redacted]"},
		{"number as a natural", slog.Uint64("x", 4111111111111111), "x=[redacted]"},
		{"number as a float", slog.Float64("x", 4111111111111111), "x=[redacted]"},
		{"short secret by its name", slog.String("OTP", "482913"), "OTP=[redacted]"},
		{"short secret in a group", slog.Group("g", slog.Int("cvv", 123)), "g.cvv=[redacted]"},
		{"key in an error", slog.Any(KeyError, errors.New("sk_live_abc")), "error=sk_live_[redacted]"},
		{"key given late", slog.Any("x", late{slog.StringValue("Bearer abc")}), `x="Bearer [redacted]"`},
		{"bytes", slog.Any("x", []byte("4111111111111111")), "x=[[]uint8]"},
		{"struct", slog.Any("x", struct{ PAN string }{"4111111111111111"}), `x="[struct { PAN string }]"`},
		{"panic", slog.Any(KeyError, broken{}), `error="%!v(PANIC=Error method: [redacted])"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := line(tt.attr); got != tt.want {
				t.Errorf("line = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMaskerBoundsValues(t *testing.T) {
	t.Parallel()
	if got := line(slog.String("x", strings.Repeat("é", 5000))); len(got) > maxValue+16 || !strings.HasSuffix(got, "…") || strings.Contains(got, "\ufffd") {
		t.Errorf("line of %d bytes", len(got))
	}
}

// TestMaskerHidesRandomRecords logs secrets in every kind of value and nesting.
func TestMaskerHidesRandomRecords(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	secrets := []string{"4000056655665556", "4000 0566 5566 5556", "sk_live_Zz9Zz9Zz9", "Bearer Zz9Zz9Zz9", "whsec_Zz9Zz9Zz9"}
	for range 3000 {
		secret := secrets[rng.IntN(len(secrets))]
		value := slog.StringValue("a " + secret + " b")
		switch rng.IntN(6) {
		case 0:
			value = slog.AnyValue(errors.Join(errors.New("x"), errors.New(secret)))
		case 1:
			value = slog.AnyValue(map[string]any{"x": []string{secret}})
		case 2:
			value = slog.AnyValue([]byte(secret))
		case 3:
			value = slog.AnyValue(late{slog.GroupValue(slog.String("y", secret))})
		case 4:
			if n, err := strconv.ParseInt(secret, 10, 64); err == nil {
				value = slog.Int64Value(n)
			}
		}
		for range rng.IntN(3) {
			value = slog.GroupValue(slog.Attr{Key: "g", Value: value})
		}
		if text := line(slog.Attr{Key: "x", Value: value}); strings.Contains(text, "Zz9Zz9") || strings.Contains(text, "5566") {
			t.Fatalf("%v gives %s", value.Kind(), text)
		}
	}
}
