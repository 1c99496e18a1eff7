package hub

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 64 << 10

// readBody reads a body of JSON. Others than JSON are refused.
func readBody(r *request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, refuse(http.StatusRequestEntityTooLarge, "body_too_large", "the body is too large")
	}
	if err != nil {
		return nil, invalid("the body could not be read")
	}
	if len(body) == 0 {
		return nil, nil
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil, invalid("Content-Type must be application/json")
	}
	var out bytes.Buffer
	if json.Compact(&out, body) != nil || !utf8.Valid(body) {
		return nil, invalid("the body is not valid JSON")
	}
	return out.Bytes(), nil
}

// fields are the members of a body's object.
type fields map[string]json.RawMessage

// parseFields parses a body such that every reader of it reads the same: no member is
// there twice, also not in another case, because readers differ in which one counts.
func parseFields(body []byte) (fields, error) {
	if len(body) == 0 {
		return fields{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, invalid("the body is not an object")
	}
	out := fields{}
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, invalid("the body is not an object")
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil, invalid("the body is not an object")
		}
		if _, twice := out[name]; twice || strings.ToLower(name) != name {
			return nil, invalid("the body has a field twice, or one that is not in lower case")
		}
		out[name] = value
	}
	return out, nil
}

// amount returns the amount in the body, which has to be a number.
func (f fields) amount() (api.USD, error) {
	raw, ok := f["amount"]
	if !ok {
		return 0, invalid("amount is missing")
	}
	u, err := api.ParseUSD(string(raw))
	if err != nil {
		return 0, invalid("amount is not an amount")
	}
	if u <= 0 {
		return 0, invalid("amount is not above 0")
	}
	return u, nil
}

// label returns the label in the body; ok is false without one. Null is no label, as "" is:
// it takes away the one that a card has.
func (f fields) label() (label string, ok bool, err error) {
	raw, there := f["label"]
	if !there {
		return "", false, nil
	}
	if json.Unmarshal(raw, &label) != nil {
		return "", false, invalid("label is not a text")
	}
	if utf8.RuneCountInString(label) > api.MaxLabel {
		return "", false, invalid("label has more than 64 characters")
	}
	if string(api.Clean(label)) != label {
		return "", false, invalid("label has characters that are not shown")
	}
	return label, true, nil
}

// word returns a parameter that has to be one of some, or absent.
func word(q url.Values, name string, allowed ...string) (string, error) {
	v := q.Get(name)
	if !q.Has(name) || slices.Contains(allowed, v) {
		return v, nil
	}
	return "", invalid(name + " has no such value")
}

// identifier returns a parameter that has to be an identifier, or absent.
func identifier(q url.Values, name string) (string, error) {
	v := q.Get(name)
	if v == "" || api.IsID(v) {
		return v, nil
	}
	return "", invalid(name + " is not an identifier")
}

// page is a part of a list.
type page struct{ number, size int }

// pageOf returns which page is asked for.
func pageOf(q url.Values, size int) (page, error) {
	p := page{1, size}
	var err error
	if p.number, err = count(q, "page", 1, 1_000_000_000); err != nil {
		return p, err
	}
	p.size, err = count(q, "per_page", size, api.MaxPerPage)
	return p, err
}

func count(q url.Values, name string, otherwise, most int) (int, error) {
	if !q.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 1 || n > most {
		return 0, invalid(name + " is not a number from 1 to " + strconv.Itoa(most))
	}
	return n, nil
}

// cut returns the rows of the page.
func cut[T any](p page, rows []T) []T {
	start := min((p.number-1)*p.size, len(rows))
	return rows[start:min(start+p.size, len(rows))]
}

// moment parses a date or a time of ISO 8601. A plain date is the beginning of the day,
// or its end.
func moment(q url.Values, name string, end bool) (time.Time, error) {
	text := q.Get(name)
	if !q.Has(name) || text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, invalid(name + " is not a date or time of ISO 8601")
	}
	if end {
		t = t.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	return t, nil
}

// amount parses an amount, USD; nil for none.
func amount(q url.Values, name string) (*api.USD, error) {
	if !q.Has(name) || q.Get(name) == "" {
		return nil, nil //nolint:nilnil // an absent amount is no error
	}
	u, err := api.ParseUSD(q.Get(name))
	if err != nil {
		return nil, invalid(name + " is not an amount")
	}
	return &u, nil
}
