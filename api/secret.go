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

// redacted replaces a secret wherever it would be printed.
const redacted = "[redacted]"

// Secret holds bytes that must not be printed by accident: every verb of fmt, slog and
// the JSON and text encoders write "[redacted]". Copies share the bytes, so wiping one
// wipes all. The zero value is an empty secret.
//
// The bytes are behind two pointers because fmt reads unexported fields without calling
// their methods: it follows one pointer for a verb that does not fit, but prints the
// address of a second one.
//
// A Secret may be read from several goroutines, but not while it is wiped.
type Secret struct{ p **[]byte }

// NewSecret returns a secret with a copy of b, which the caller may wipe afterwards.
func NewSecret[T string | []byte](b T) Secret {
	if len(b) == 0 {
		return Secret{}
	}
	own := append([]byte(nil), b...)
	inner := &own
	return Secret{&inner}
}

// Expose returns the secret as a string, for the few callers that must show or send
// it. The string cannot be wiped; [Secret.Bytes] is better where it will do.
func (s Secret) Expose() string { return string(s.Bytes()) }

// Bytes returns the secret itself, not a copy: it is valid until Wipe and must not be
// changed.
func (s Secret) Bytes() []byte {
	if s.p == nil {
		return nil
	}
	return **s.p
}

// Wipe overwrites the bytes of this secret and all its copies, which are empty from
// then on.
func (s Secret) Wipe() {
	if s.p == nil {
		return
	}
	clear(**s.p)
	**s.p = nil
}

// IsZero reports whether the secret is empty.
func (s Secret) IsZero() bool { return len(s.Bytes()) == 0 }

// Equal reports whether two secrets are equal, in a time that depends on their lengths
// only.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare(s.Bytes(), other.Bytes()) == 1
}

// Format writes "[redacted]" for every verb.
func (Secret) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(redacted)) // fmt drops errors of its own state.
}

// String returns "[redacted]".
func (Secret) String() string { return redacted }

// GoString returns "[redacted]".
func (Secret) GoString() string { return redacted }

// LogValue returns "[redacted]".
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON returns "[redacted]" as a JSON string.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText returns "[redacted]".
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

var errSecretShape = errors.New("decode secret: not a string or a number")

// UnmarshalJSON decodes a string, or a number with its digits as sent; null is an
// empty secret. Its errors never quote the input.
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

// PAN is a full card number, in digits as sent.
type PAN struct{ Secret }

// CVV is a card verification value.
type CVV struct{ Secret }

// OTP is the one-time code of a challenge, as it is typed: without blanks, and without
// anything that a terminal acts on.
type OTP struct{ Secret }

// maxOTP is the longest code, in bytes.
const maxOTP = 64

var errOTPShape = errors.New("decode code: not a short string")

// UnmarshalJSON decodes and cleans a code; null and blanks alone are none. A number is
// none either: it has lost its leading zeros. Its errors never quote the input.
func (o *OTP) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != '"' && !bytes.Equal(b, []byte("null")) {
		return errOTPShape
	}
	if err := o.Secret.UnmarshalJSON(b); err != nil {
		return errOTPShape
	}
	o.Secret = cleanOTP(o.Secret)
	if len(o.Bytes()) > maxOTP {
		o.Wipe()
		return errOTPShape
	}
	return nil
}

// SigningSecret is the secret that the deliveries of a webhook are signed with.
type SigningSecret struct{ Secret }

// APIKey is the bearer key of an account.
type APIKey struct{ Secret } //nolint:revive // a bare Key would be taken for an idempotency key

// NewPAN returns a card number with the given digits.
func NewPAN[T string | []byte](b T) PAN { return PAN{NewSecret(b)} }

// NewCVV returns a verification value with the given digits.
func NewCVV[T string | []byte](b T) CVV { return CVV{NewSecret(b)} }

// NewOTP returns a one-time code with the given text, cleaned.
func NewOTP[T string | []byte](b T) OTP { return OTP{cleanOTP(NewSecret(b))} }

// cleanOTP returns a code as it is typed. It wipes what it does not return.
func cleanOTP(s Secret) Secret {
	if !bytes.ContainsFunc(s.Bytes(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return s
	}
	clean := NewSecret(strings.Join(strings.Fields(string(Clean(s.Expose()))), ""))
	s.Wipe()
	return clean
}

// NewSigningSecret returns a signing secret with the given text.
func NewSigningSecret[T string | []byte](b T) SigningSecret { return SigningSecret{NewSecret(b)} }

// NewAPIKey returns an API key with the given text.
func NewAPIKey[T string | []byte](b T) APIKey { return APIKey{NewSecret(b)} }

// Mode is the environment that a key belongs to.
type Mode int

// The modes, told by the prefix of the key (contract, Authentication 3).
const (
	ModeUnknown Mode = iota
	ModeTest
	ModeLive
)

// String returns "unknown", "test" or "live".
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
	hubInfix   = "hub_"
)

// OfHub reports whether the key is a token of a hub, which is good there only.
func (k APIKey) OfHub() bool {
	b := k.Bytes()
	return bytes.HasPrefix(b, []byte(testPrefix+hubInfix)) || bytes.HasPrefix(b, []byte(livePrefix+hubInfix))
}

// Mode returns the environment by the prefix of the key.
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

// Check returns an error for a key that cannot be sent in a header, without quoting
// it.
func (k APIKey) Check() error {
	if k.IsZero() {
		return errors.New("api key is empty")
	}
	if bytes.ContainsFunc(k.Bytes(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("api key holds a space or a character outside ASCII")
	}
	return nil
}

// Redact replaces the key, anything that looks like one, and card numbers in a text
// that will be shown.
func (k APIKey) Redact(text string) string {
	if !k.IsZero() {
		text = strings.ReplaceAll(text, k.Expose(), redacted)
	}
	return redactSecrets(text)
}

// redactSecrets replaces what looks like a key or a card number in a text from outside
// that will be shown in an error.
func redactSecrets(text string) string {
	text = redactKeys(text, testPrefix)
	text = redactKeys(text, livePrefix)
	return redactNumbers(text)
}

func redactKeys(text, prefix string) string {
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

// redactNumbers replaces runs of 13 digits and more, also when single spaces or dashes
// group them. It does not check the check digit: an identifier missing from an error
// text costs less than a card number in it.
func redactNumbers(text string) string {
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

// numberRun returns the length of the digits at the start of s, with the single
// separators between them, and how many digits they are.
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
