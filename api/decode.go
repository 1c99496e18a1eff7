package api

import (
	"errors"
	"strings"
	"time"
	"unique"
)

// timestamp decodes a timestamp into UTC. Absent and null are the zero time.
type timestamp time.Time

// timestampLayouts returns the forms of ISO 8601 that are accepted; a time without an
// offset is UTC (ASSUMED 25).
func timestampLayouts() [5]string {
	return [...]string{
		time.RFC3339Nano,
		"2006-01-02T15:04:05Z0700",
		"2006-01-02T15:04:05",
		"2006-01-02 15:04:05Z07:00",
		time.DateOnly,
	}
}

func (s *timestamp) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	text, err := unquote(b)
	if err != nil {
		return errors.New("decode timestamp: not a string")
	}
	for _, layout := range timestampLayouts() {
		if t, err := time.Parse(layout, text); err == nil {
			*s = timestamp(t.UTC())
			return nil
		}
	}
	return errors.New("decode timestamp: not ISO 8601")
}

func (s timestamp) time() time.Time { return time.Time(s) }

// missingError is that a body lacks a required field.
type missingError struct{ object, field string }

func (e *missingError) Error() string { return "decode " + e.object + ": " + e.field + " is missing" }

// errMissing returns the error of a body without a required field.
func errMissing(object, field string) error { return &missingError{object, field} }

// require copies a required amount.
func require(to *USD, from *USD, object, field string) error {
	if from == nil {
		return errMissing(object, field)
	}
	*to = *from
	return nil
}

// requireID returns an error for an object without an identifier.
func requireID[T ~string](id T, object string) error {
	if id == "" {
		return errMissing(object, "id")
	}
	return nil
}

// maxID is the longest identifier, in bytes; the rest is cut off.
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

func setID[T ~string](id *T, b []byte) error {
	s, err := cleanID(b)
	if err != nil {
		return err
	}
	*id = T(s)
	return nil
}

// intern returns the single copy in memory of a repeated word: without it, half of
// what 100,000 rows occupy would be the same few merchants and types.
func intern[S ~string](s S) S { return S(unique.Make(string(s)).Value()) }
