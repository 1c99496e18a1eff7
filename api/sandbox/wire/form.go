package wire

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Form reads the fields of a JSON request body. A method that reads an optional
// field reports whether it is there. After a wrong field the others can still be
// read, so that callers check Err once.
type Form struct {
	fields map[string]json.RawMessage
	Err    error // of the first wrong field; nil or an *Error
}

// ParseForm parses a body, which has to be one JSON object. An empty body is an
// empty object.
func ParseForm(body []byte) (*Form, error) {
	body = bytes.TrimLeft(body, " \t\r\n")
	f := &Form{fields: map[string]json.RawMessage{}}
	if len(body) == 0 {
		return f, nil
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, Invalid("the body is not valid JSON")
	}
	if body[0] != '{' {
		return nil, Invalid("the body must be a JSON object")
	}
	if err := json.Unmarshal(body, &f.fields); err != nil {
		return nil, Invalid("the body is not valid JSON")
	}
	return f, nil
}

// Fail sets Err to a validation error, unless it is set.
func (f *Form) Fail(format string, args ...any) {
	if f.Err == nil {
		f.Err = Invalid(format, args...)
	}
}

// Raw returns the JSON of a field. null counts as absent.
func (f *Form) Raw(name string) (json.RawMessage, bool) {
	value, set := f.fields[name]
	if !set || string(value) == "null" {
		return nil, false
	}
	return value, true
}

// Text returns a string.
func (f *Form) Text(name string) (string, bool) {
	raw, set := f.Raw(name)
	if !set {
		return "", false
	}
	var value string
	if json.Unmarshal(raw, &value) != nil {
		f.Fail("%s must be a string", name)
	}
	return value, true
}

// RequiredText returns a string that must be there and not be empty.
func (f *Form) RequiredText(name string) string {
	value, set := f.Text(name)
	switch {
	case !set:
		f.Fail("%s is required", name)
	case value == "":
		f.Fail("%s must not be empty", name)
	}
	return value
}

// Texts returns an array of strings that are not empty.
func (f *Form) Texts(name string) ([]string, bool) {
	raw, set := f.Raw(name)
	if !set {
		return nil, false
	}
	var values []*string
	if json.Unmarshal(raw, &values) != nil {
		f.Fail("%s must be an array of strings", name)
		return nil, true
	}
	list := make([]string, 0, len(values))
	for _, v := range values {
		if v == nil || *v == "" {
			f.Fail("%s must hold strings that are not empty", name)
			return nil, true
		}
		list = append(list, *v)
	}
	return list, true
}

// Bool returns true or false, which is also what is not there.
func (f *Form) Bool(name string) bool {
	raw, _ := f.Raw(name)
	switch string(raw) {
	case "true":
		return true
	case "", "false":
	default:
		f.Fail("%s must be true or false", name)
	}
	return false
}

// Money returns an amount of USD between least and most, both included, with at
// most two decimals (ASSUMED 3).
func (f *Form) Money(name string, least, most unit.Cents) (unit.Cents, bool) {
	raw, set := f.Raw(name)
	if !set {
		return 0, false
	}
	value, exact, err := unit.ParseCents(string(raw))
	if err != nil {
		f.Fail("%s must be a number", name)
		return 0, true
	}
	switch {
	case value < least, value > most, value == most && !exact:
		f.Fail("%s must be between %s and %s", name, least.Fixed(), most.Fixed())
	case !exact:
		f.Fail("%s must have at most two decimals", name)
	}
	return value, true
}

// RequiredMoney is Money for a field that must be there.
func (f *Form) RequiredMoney(name string, least, most unit.Cents) unit.Cents {
	value, set := f.Money(name, least, most)
	if !set {
		f.Fail("%s is required", name)
	}
	return value
}

// Integer returns an integer between least and most, both included.
func (f *Form) Integer(name string, least, most int64) (int64, bool) {
	raw, set := f.Raw(name)
	if !set {
		return 0, false
	}
	value, exact, err := unit.ParseCents(string(raw))
	if err != nil {
		f.Fail("%s must be a number", name)
		return 0, true
	}
	if !exact || value%100 != 0 || int64(value/100) < least || int64(value/100) > most {
		f.Fail("%s must be a whole number from %d to %d", name, least, most)
	}
	return int64(value / 100), true
}
