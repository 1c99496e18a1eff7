package api

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// redacted stands wherever a secret would have been printed.
const redacted = "[redacted]"

// Secret holds bytes that must not be shown by accident: every verb of fmt,
// slog and the JSON and text encoders give "[redacted]". Copies share the
// bytes, so wiping one wipes all. The zero value is an empty secret.
//
// The bytes sit behind two pointers because fmt reads unexported fields
// without asking their methods: it follows one pointer for a verb that does
// not fit, and of two it shows an address.
//
// A Secret may be read from several goroutines; wiping it while it is read is
// for its one owner to avoid.
type Secret struct{ p **[]byte }

// NewSecret copies b, which the caller may wipe afterwards.
func NewSecret[T string | []byte](b T) Secret {
	if len(b) == 0 {
		return Secret{}
	}
	own := append([]byte(nil), b...)
	inner := &own
	return Secret{&inner}
}

// Expose gives the secret as a string, for the few callers that must show or
// send it. The string cannot be wiped; prefer [Secret.Bytes] where it will do.
func (s Secret) Expose() string { return string(s.Bytes()) }

// Bytes gives the secret itself, not a copy: it is valid until Wipe and must
// not be changed.
func (s Secret) Bytes() []byte {
	if s.p == nil {
		return nil
	}
	return **s.p
}

// Wipe overwrites the bytes of this secret and of all its copies, which are
// empty from then on.
func (s Secret) Wipe() {
	if s.p == nil {
		return
	}
	clear(**s.p)
	**s.p = nil
}

// IsZero tells whether there is nothing in the secret.
func (s Secret) IsZero() bool { return len(s.Bytes()) == 0 }

// Equal compares in a time that depends on the lengths only.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare(s.Bytes(), other.Bytes()) == 1
}

// Format writes "[redacted]" for every verb.
func (Secret) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(redacted)) // fmt drops errors of its own state.
}

// String gives "[redacted]".
func (Secret) String() string { return redacted }

// GoString gives "[redacted]".
func (Secret) GoString() string { return redacted }

// LogValue gives "[redacted]".
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON gives "[redacted]" as a JSON string.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText gives "[redacted]".
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

var errSecretShape = errors.New("decode secret: not a string or a number")

// UnmarshalJSON takes a string, or a number whose digits are kept as sent;
// null is an empty secret. Its errors never quote the input.
func (s *Secret) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
		return errSecretShape
	case bytes.Equal(b, []byte("null")):
		*s = Secret{}
		return nil
	case b[0] == '"' && !bytes.ContainsRune(b, '\\'):
		if len(b) < 2 || b[len(b)-1] != '"' {
			return errSecretShape
		}
		*s = NewSecret(b[1 : len(b)-1])
		return nil
	case b[0] == '"':
		var text string
		if json.Unmarshal(b, &text) != nil {
			return errSecretShape
		}
		*s = NewSecret(text)
		return nil
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*s = NewSecret(b)
		return nil
	}
	return errSecretShape
}

// PAN is a full card number: digits only, as they were sent.
type PAN struct{ Secret }

// CVV is a card verification value.
type CVV struct{ Secret }

// OTP is the one-time code of a challenge.
type OTP struct{ Secret }

// SigningSecret is the secret a webhook's deliveries are signed with.
type SigningSecret struct{ Secret }

// APIKey is the bearer key of an account.
type APIKey struct{ Secret } //nolint:revive // a bare Key would be taken for an idempotency key

// NewPAN makes a card number of its digits.
func NewPAN[T string | []byte](b T) PAN { return PAN{NewSecret(b)} }

// NewCVV makes a verification value of its digits.
func NewCVV[T string | []byte](b T) CVV { return CVV{NewSecret(b)} }

// NewOTP makes a one-time code of its text.
func NewOTP[T string | []byte](b T) OTP { return OTP{NewSecret(b)} }

// NewSigningSecret makes a signing secret of its text.
func NewSigningSecret[T string | []byte](b T) SigningSecret { return SigningSecret{NewSecret(b)} }

// NewAPIKey makes an API key of its text.
func NewAPIKey[T string | []byte](b T) APIKey { return APIKey{NewSecret(b)} }

// Mode says which world a key belongs to.
type Mode int

// The modes, told by the prefix of the key (contract, Authentication 3).
const (
	ModeUnknown Mode = iota
	ModeTest
	ModeLive
)

// String gives "unknown", "test" or "live".
func (m Mode) String() string {
	switch m {
	case ModeTest:
		return "test"
	case ModeLive:
		return "live"
	default:
		return "unknown"
	}
}

// Prefixes of an API key.
const (
	testPrefix = "sk_test_"
	livePrefix = "sk_live_"
)

// Mode tells a sandbox key from a production key.
func (k APIKey) Mode() Mode {
	switch b := k.Bytes(); {
	case bytes.HasPrefix(b, []byte(testPrefix)):
		return ModeTest
	case bytes.HasPrefix(b, []byte(livePrefix)):
		return ModeLive
	default:
		return ModeUnknown
	}
}

// problem names what keeps the key out of a header, without quoting it.
func (k APIKey) problem() error {
	if k.IsZero() {
		return errors.New("api key is empty")
	}
	if bytes.ContainsFunc(k.Bytes(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("api key holds a space or a character outside ASCII")
	}
	return nil
}

// hide replaces the key, anything that looks like one, and card numbers in a
// text that will be shown.
func (k APIKey) hide(text string) string {
	if !k.IsZero() {
		text = strings.ReplaceAll(text, k.Expose(), redacted)
	}
	return hideSecrets(text)
}

// hideSecrets replaces what looks like a key or a card number in a text that
// came from outside and will be shown in an error.
func hideSecrets(text string) string {
	text = hideKeys(text, testPrefix)
	text = hideKeys(text, livePrefix)
	return hideNumbers(text)
}

func hideKeys(text, prefix string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, prefix)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString(redacted)
		text = strings.TrimLeftFunc(after, func(r rune) bool {
			return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		})
	}
}

// minPAN is the length of the shortest card number, in digits.
const minPAN = 13

// hideNumbers replaces runs of 13 digits and more, also when they are grouped
// by single spaces or dashes. No check digit is asked for: an identifier lost
// from an error text costs less than a card number kept.
func hideNumbers(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		end, digits := numberRun(text[i:])
		switch {
		case digits == 0:
			out.WriteByte(text[i])
			i++
		case digits >= minPAN:
			out.WriteString(redacted)
			i += end
		default:
			out.WriteString(text[i : i+end])
			i += end
		}
	}
	return out.String()
}

// numberRun measures the digits at the start of s, with the single separators
// between them.
func numberRun(s string) (end, digits int) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
			end = i + 1
		case (c == ' ' || c == '-') && end == i && i > 0:
		default:
			return end, digits
		}
	}
	return end, digits
}
