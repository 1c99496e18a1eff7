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

// missingError is that a body lacks required fields.
type missingError struct {
	object string
	fields []string
}

func (e *missingError) Error() string {
	verb := " is missing"
	if len(e.fields) > 1 {
		verb = " are missing"
	}
	return "decode " + e.object + ": " + strings.Join(e.fields, ", ") + verb
}

// MissingField returns the error of a body without a required field.
func MissingField(object, field string) error { return &missingError{object, []string{field}} }

// allOf returns the first error of those that are no missing field, or one error of all missing
// fields of an object: an error is told in one line.
func allOf(errs ...error) error {
	all := &missingError{}
	for _, err := range errs {
		var m *missingError
		switch {
		case err == nil:
		case errors.As(err, &m):
			all.object, all.fields = m.object, append(all.fields, m.fields...)
		default:
			return err
		}
	}
	if len(all.fields) == 0 {
		return nil
	}
	return all
}

// require copies a required amount.
func require(to *USD, from *USD, object, field string) error {
	if from == nil {
		return MissingField(object, field)
	}
	*to = *from
	return nil
}

// requireID returns an error for an object without an identifier.
func requireID[T ~string](id T, object string) error {
	if id == "" {
		return MissingField(object, "id")
	}
	return nil
}

// maxID is the longest identifier, in bytes.
const maxID = 256

var errID = errors.New("decode identifier: not printable ASCII without blanks, or too long")

// decodeID decodes a JSON string of printable ASCII without blanks; null is "". Another text is
// refused and not cleaned: what is left of it may be the identifier of something else.
func decodeID(b []byte) (string, error) {
	s, err := unquote(b)
	if err != nil {
		return "", errors.New("decode identifier: not a string")
	}
	if len(s) > maxID || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errID
	}
	return s, nil
}

func setID[T ~string](id *T, b []byte) error {
	s, err := decodeID(b)
	if err != nil {
		return err
	}
	*id = T(s)
	return nil
}

// intern returns the single copy in memory of a repeated word: without it, half of
// what 100,000 rows occupy would be the same few merchants and types.
func intern[S ~string](s S) S { return S(unique.Make(string(s)).Value()) }
