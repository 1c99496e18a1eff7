package api

import (
	"crypto/rand"
	"errors"
	"net/url"
	"strings"
)

// Identifiers. They are opaque: only printable ASCII of what was sent is kept.
type (
	// CardID identifies a card (prefix card_).
	CardID string
	// BINID identifies a BIN.
	BINID string
	// TransactionID identifies a transaction (prefix txn_).
	TransactionID string
	// DepositID identifies a deposit (prefix dep_).
	DepositID string
	// ChallengeID identifies a 3DS challenge (prefix 3ds_).
	ChallengeID string
	// WebhookID identifies a webhook (prefix wh_).
	WebhookID string
)

// maxID is the longest identifier kept, in bytes.
const maxID = 256

// cleanID decodes a JSON string into printable ASCII without spaces.
func cleanID(b []byte) (string, error) {
	s, err := unquote(b)
	if err != nil {
		return "", errors.New("decode identifier: not a string")
	}
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, string(Clean(s)))
	return s[:min(len(s), maxID)], nil
}

// UnmarshalJSON decodes and sanitises the identifier.
func (id *CardID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// UnmarshalJSON decodes and sanitises the identifier.
func (id *BINID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// UnmarshalJSON decodes and sanitises the identifier.
func (id *TransactionID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// UnmarshalJSON decodes and sanitises the identifier.
func (id *DepositID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// UnmarshalJSON decodes and sanitises the identifier.
func (id *ChallengeID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// UnmarshalJSON decodes and sanitises the identifier.
func (id *WebhookID) UnmarshalJSON(b []byte) error { return setID(id, b) }

func setID[T ~string](id *T, b []byte) error {
	s, err := cleanID(b)
	if err != nil {
		return err
	}
	*id = T(s)
	return nil
}

// segment escapes an identifier for a path. It refuses what would change the
// path: an empty text and the dot segments.
func segment[T ~string](what string, id T) (string, error) {
	if s := string(id); s != "" && s != "." && s != ".." {
		return url.PathEscape(s), nil
	}
	return "", invalid("%s id is missing", what)
}

// IdempotencyKey makes the repeats of one write act once. It is minted once
// for each decision of the user and reused for every try.
type IdempotencyKey string

// NewIdempotencyKey gives a fresh key of at least 128 random bits.
func NewIdempotencyKey() IdempotencyKey { return IdempotencyKey(rand.Text()) }

// valid tells whether the key can stand in a header.
func (k IdempotencyKey) valid() bool {
	return k != "" && len(k) <= maxID && !strings.ContainsFunc(string(k), func(r rune) bool {
		return r <= ' ' || r > '~'
	})
}
