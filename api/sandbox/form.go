package sandbox

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// form reads the fields of a JSON request body. The first field that is wrong
// is kept in err; later reads still answer, so that callers check once.
type form struct {
	fields map[string]json.RawMessage
	err    error
}

// parseForm reads a body that has to be one JSON object. An empty body is an
// empty object.
func parseForm(body []byte) (*form, error) {
	body = bytes.TrimLeft(body, " \t\r\n")
	f := &form{fields: map[string]json.RawMessage{}}
	if len(body) == 0 {
		return f, nil
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, invalid("the body is not valid JSON")
	}
	if body[0] != '{' {
		return nil, invalid("the body must be a JSON object")
	}
	if err := json.Unmarshal(body, &f.fields); err != nil {
		return nil, invalid("the body is not valid JSON")
	}
	return f, nil
}

func (f *form) fail(format string, args ...any) {
	if f.err == nil {
		f.err = invalid(format, args...)
	}
}

// raw gives a field's value. A null counts as absent.
func (f *form) raw(name string) (json.RawMessage, bool) {
	value, set := f.fields[name]
	if !set || string(value) == "null" {
		return nil, false
	}
	return value, true
}

func (f *form) text(name string) (string, bool) {
	raw, set := f.raw(name)
	if !set {
		return "", false
	}
	var value string
	if json.Unmarshal(raw, &value) != nil {
		f.fail("%s must be a string", name)
	}
	return value, true
}

// requiredText reads a string that has to be there and not be empty.
func (f *form) requiredText(name string) string {
	value, set := f.text(name)
	switch {
	case !set:
		f.fail("%s is required", name)
	case value == "":
		f.fail("%s must not be empty", name)
	}
	return value
}

func (f *form) texts(name string) ([]string, bool) {
	raw, set := f.raw(name)
	if !set {
		return nil, false
	}
	var values []*string
	if json.Unmarshal(raw, &values) != nil {
		f.fail("%s must be an array of strings", name)
		return nil, true
	}
	list := make([]string, 0, len(values))
	for _, v := range values {
		if v == nil || *v == "" {
			f.fail("%s must hold strings that are not empty", name)
			return nil, true
		}
		list = append(list, *v)
	}
	return list, true
}

// money reads an amount of USD between least and most, both allowed, with at
// most two decimals (ASSUMED 3).
func (f *form) money(name string, least, most unit.Cents) (unit.Cents, bool) {
	raw, set := f.raw(name)
	if !set {
		return 0, false
	}
	value, exact, err := unit.ParseCents(string(raw))
	if err != nil {
		f.fail("%s must be a number", name)
		return 0, true
	}
	switch {
	case value < least, value > most, value == most && !exact:
		f.fail("%s must be between %s and %s", name, least.Fixed(), most.Fixed())
	case !exact:
		f.fail("%s must have at most two decimals", name)
	}
	return value, true
}

// requiredMoney is money for a field that has to be there.
func (f *form) requiredMoney(name string, least, most unit.Cents) unit.Cents {
	value, set := f.money(name, least, most)
	if !set {
		f.fail("%s is required", name)
	}
	return value
}

// integer reads a whole number between least and most.
func (f *form) integer(name string, least, most int64) (int64, bool) {
	raw, set := f.raw(name)
	if !set {
		return 0, false
	}
	value, exact, err := unit.ParseCents(string(raw))
	if err != nil {
		f.fail("%s must be a number", name)
		return 0, true
	}
	if !exact || value%100 != 0 || int64(value/100) < least || int64(value/100) > most {
		f.fail("%s must be a whole number from %d to %d", name, least, most)
	}
	return int64(value / 100), true
}
