package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cardtop/cardtop/api"
)

// setter checks a value and puts it into the settings. Its error finishes the
// sentence that the setting's name starts.
type setter func(t *target, v value) error

// takes is the values of a setting: how one is read, and its JSON
// schema. A needed setting has to be in its table.
type takes struct {
	set    setter
	schema node
	needed bool
}

// needed makes a setting one that its table has to hold.
func needed(t takes) takes {
	t.needed = true
	return t
}

// maxText bounds a text setting, in bytes.
const maxText = 1024

func wrongKind(v value, want string) error {
	return fmt.Errorf("must be %s, not %s", want, v.kind)
}

// span reads a whole number of units between two bounds.
func span(unit time.Duration, low, high int, field func(*Settings) *time.Duration) takes {
	return integers(low, high, func(s *Settings, n int) { *field(s) = time.Duration(n) * unit })
}

func count(low, high int, field func(*Settings) *int) takes {
	return integers(low, high, func(s *Settings, n int) { *field(s) = n })
}

func integers(low, high int, put func(*Settings, int)) takes {
	set := func(t *target, v value) error {
		n, err := v.integer(low, high)
		if err == nil {
			put(&t.Settings, n)
		}
		return err
	}
	return takes{set: set, schema: node{Type: "integer", Minimum: low, Maximum: high}}
}

func (v value) integer(low, high int) (int, error) {
	if v.kind != kindInteger {
		return 0, wrongKind(v, fmt.Sprintf("a whole number from %d to %d", low, high))
	}
	n, err := strconv.ParseInt(v.text, 0, 64)
	if err != nil || n < int64(low) || n > int64(high) {
		return 0, fmt.Errorf("must be %d to %d, not %s", low, high, v.text)
	}
	return int(n), nil
}

func flag(field func(*target) *bool) takes {
	set := func(t *target, v value) error {
		if v.kind != kindBool {
			return wrongKind(v, "true or false")
		}
		*field(t) = v.text == "true"
		return nil
	}
	return takes{set: set, schema: node{Type: "boolean"}}
}

// switchOff is flag for what is on unless the file says otherwise.
func switchOff(off func(*target) *bool) takes {
	t := flag(off)
	read := t.set
	t.set = func(to *target, v value) error {
		err := read(to, v)
		if err == nil {
			*off(to) = !*off(to)
		}
		return err
	}
	return t
}

// rule checks a text, and is as much of that as a JSON schema can express.
type rule struct {
	check  func(string) error
	schema node
}

// text reads one line that satisfies a rule.
func text(r rule, field func(*target) *string) takes {
	set := func(t *target, v value) error {
		s, err := v.line()
		if err == nil {
			err = r.check(s)
		}
		if err == nil {
			*field(t) = s
		}
		return err
	}
	schema := r.schema
	schema.Type, schema.MaxLength = "string", maxText
	return takes{set: set, schema: schema}
}

// line is a string without control characters. Errors do not quote it.
func (v value) line() (string, error) {
	if v.kind != kindString {
		return "", wrongKind(v, "a string")
	}
	if len(v.text) > maxText {
		return "", fmt.Errorf("is longer than %d bytes", maxText)
	}
	if strings.IndexFunc(v.text, unicode.IsControl) >= 0 {
		return "", errors.New("holds a control character")
	}
	return v.text, nil
}

// oneOf accepts the named words.
func oneOf(words ...string) rule {
	check := func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		return fmt.Errorf("must be one of %s, not %q%s", strings.Join(words, ", "), s, meant(nearest(s, words)))
	}
	return rule{check, node{Enum: words}}
}

// amount reads USD up to maxAmount, exactly.
func amount(put func(*target, api.USD)) takes {
	set := func(t *target, v value) error {
		usd, err := v.usd(0, maxAmount)
		if err == nil {
			put(t, usd)
		}
		return err
	}
	return takes{set: set, schema: dollars(0, maxAmount)}
}

// amounts reads a list of at most limit amounts.
func amounts(limit int, low, high api.USD, field func(*Settings) *[]api.USD) takes {
	set := func(t *target, v value) error {
		if v.kind != kindList {
			return wrongKind(v, "a list of amounts")
		}
		if len(v.items) > limit {
			return fmt.Errorf("holds more than %d amounts", limit)
		}
		list := make([]api.USD, 0, len(v.items))
		for _, item := range v.items {
			usd, err := item.usd(low, high)
			if err != nil {
				return &itemError{item.at, err}
			}
			list = append(list, usd)
		}
		*field(&t.Settings) = list
		return nil
	}
	each := dollars(low, high)
	return takes{set: set, schema: node{Type: "array", Items: &each, MaxItems: limit}}
}

// percents reads a list of at most limit whole numbers, and sorts it.
func percents(limit int, field func(*Settings) *[]int) takes {
	reads := percentList(limit)
	set := func(t *target, v value) error {
		list, err := reads.read(v)
		if err == nil {
			*field(&t.Settings) = list
		}
		return err
	}
	return takes{set: set, schema: reads.schema}
}

// usd reads digits with at most two decimals, as a string or as a number. The
// text is what decides; no binary fraction is involved.
func (v value) usd(low, high api.USD) (api.USD, error) {
	if v.kind != kindString && v.kind != kindInteger && v.kind != kindDecimal {
		return 0, wrongKind(v, `an amount such as "12.50"`)
	}
	digits := strings.TrimPrefix(v.text, "$")
	if v.kind != kindString {
		digits = strings.TrimPrefix(strings.ReplaceAll(v.text, "_", ""), "+")
	}
	usd, err := api.ParseTyped(digits)
	_, decimals, _ := strings.Cut(digits, ".")
	if err != nil || len(decimals) > 2 || strings.ContainsAny(digits, "eE") {
		return 0, errors.New(`must be an amount in USD with at most two decimals, such as "12.50"`)
	}
	if usd < low || usd > high {
		return 0, fmt.Errorf("must be %s to %s USD, not %s", low.Grouped(), high.Grouped(), usd.Grouped())
	}
	return usd, nil
}

// lines reads a list of at most limit strings, whatever they are.
func lines(limit int, put func(*target, []string)) takes {
	set := func(t *target, v value) error {
		list, err := v.lines(limit)
		if err == nil {
			put(t, list)
		}
		return err
	}
	return takes{set: set, schema: textOrList(limit, node{Type: "string", MinLength: 1, MaxLength: maxText})}
}

// lines reads a list of at most limit strings; a single string is a list of
// one, and an empty string is an empty list.
func (v value) lines(limit int) ([]string, error) {
	items := v.items
	switch {
	case v.kind == kindString && v.text == "":
		return []string{}, nil
	case v.kind == kindString:
		items = []value{v}
	case v.kind != kindList:
		return nil, wrongKind(v, "a string or a list of strings")
	case len(items) > limit:
		return nil, fmt.Errorf("holds more than %d strings", limit)
	}
	list := make([]string, 0, len(items))
	for _, item := range items {
		s, err := item.line()
		if err == nil && s == "" {
			err = errors.New("holds an empty string")
		}
		if err != nil {
			return nil, &itemError{item.at, err}
		}
		list = append(list, s)
	}
	return list, nil
}

// itemError is the error of an item of a list.
type itemError struct {
	at  position
	err error
}

func (e *itemError) Error() string { return e.err.Error() }

func (e *itemError) Unwrap() error { return e.err }
