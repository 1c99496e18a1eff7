package api

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unique"
)

// stamp decodes a timestamp into UTC. Absent and null give the zero time.
type stamp time.Time

// stampLayouts are the forms of ISO 8601 that are understood; a time without
// an offset is UTC (ASSUMED 25).
func stampLayouts() [5]string {
	return [...]string{
		time.RFC3339Nano,
		"2006-01-02T15:04:05Z0700",
		"2006-01-02T15:04:05",
		"2006-01-02 15:04:05Z07:00",
		time.DateOnly,
	}
}

func (s *stamp) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	text, err := unquote(b)
	if err != nil {
		return errors.New("decode timestamp: not a string")
	}
	for _, layout := range stampLayouts() {
		if t, err := time.Parse(layout, text); err == nil {
			*s = stamp(t.UTC())
			return nil
		}
	}
	return errors.New("decode timestamp: not ISO 8601")
}

func (s stamp) time() time.Time { return time.Time(s) }

// missing is the error of a body without a field that nothing works without.
func missing(object, field string) error {
	return fmt.Errorf("decode %s: %s is missing", object, field)
}

// need copies a figure that must be there.
func need(to *USD, from *USD, object, field string) error {
	if from == nil {
		return missing(object, field)
	}
	*to = *from
	return nil
}

// needID checks the identifier that every object must have.
func needID[T ~string](id T, object string) error {
	if id == "" {
		return missing(object, "id")
	}
	return nil
}

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

func setID[T ~string](id *T, b []byte) error {
	s, err := cleanID(b)
	if err != nil {
		return err
	}
	*id = T(s)
	return nil
}

// one gives the one copy in memory of a word that comes again and again: half
// of what 100,000 rows take would be the same few merchants and types.
func one[S ~string](s S) S { return S(unique.Make(string(s)).Value()) }
