package logfile

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/internal/config/redact"
)

// Keys of the attributes that request logs hold. Nothing else of a request is
// logged: no body, no query, no header.
const (
	KeyMethod    = "method"
	KeyRoute     = "route" // A template such as /cards/{card_id}.
	KeyStatus    = "status"
	KeyMS        = "ms" // How long it took, in milliseconds.
	KeyRequestID = "request_id"
	KeyError     = "error"
)

// maxValue bounds one value in the log, in bytes.
const maxValue = 2048

// secretNames are keys whose value is never written: what they name is too
// short to be recognised by its shape.
func secretNames() []string {
	return []string{
		"pan", "number", "card_number", "cvv", "cvv2", "cvc", "otp", "code", "pin", "key", "api_key", "apikey",
		"authorization", "secret", "signing_secret", "token", "password", "body", "clipboard",
	}
}

// masker masks an attribute by its name, by its type and by its text. It is
// called for the message as well and accepts any value.
func masker() func([]string, slog.Attr) slog.Attr {
	names, r := secretNames(), redact.New()
	return func(_ []string, a slog.Attr) slog.Attr {
		if slices.Contains(names, strings.ToLower(a.Key)) {
			return slog.String(a.Key, redact.Mask)
		}
		switch a.Value.Kind() {
		case slog.KindBool, slog.KindDuration, slog.KindTime:
			return a
		case slog.KindInt64, slog.KindUint64:
			if text := a.Value.String(); r.Text(text) != text {
				return slog.String(a.Key, redact.Mask)
			}
			return a
		case slog.KindFloat64:
			// The short form hides digits in an exponent.
			if text := strconv.FormatFloat(a.Value.Float64(), 'f', -1, 64); r.Text(text) != text {
				return slog.String(a.Key, redact.Mask)
			}
			return a
		case slog.KindAny:
			return slog.String(a.Key, bounded(r.Text(plain(a.Value.Any()))))
		default:
			return slog.String(a.Key, bounded(r.Text(a.Value.String())))
		}
	}
}

// plain is the text of an error, of a type that has one, and the type alone of
// anything else: nobody knows what a struct or a slice of bytes holds.
func plain(v any) string {
	switch v.(type) {
	case nil:
		return "nil"
	case error, fmt.Stringer:
		return fmt.Sprint(v) // It outlives a method that panics.
	case *slog.Source:
		return "" // Positions in the source are not logged.
	default:
		return fmt.Sprintf("[%T]", v)
	}
}

func bounded(s string) string {
	if len(s) <= maxValue {
		return s
	}
	return strings.ToValidUTF8(s[:maxValue], "") + "…"
}
