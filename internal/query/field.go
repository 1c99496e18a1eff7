package query

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

// takes returns why a field does not accept an operator; empty when it does.
func (f *Field[T]) takes(w *lang.Words, op string) string {
	switch {
	case (f.Age != nil || f.Figure != nil) && (op == "=" || op == "~"):
		return w.Tf("%s takes < and >, as in %s", f.Name, f.example())
	case f.Money != nil && op == "~":
		return w.Tf("%s takes < > and =, as in %s", f.Name, f.example())
	case (f.Text != nil || f.Word != nil) && op != "=" && op != "~":
		return w.Tf("%s takes = and ~, as in %s", f.Name, f.example())
	}
	return ""
}

// timed reports whether the field's values change with the time alone.
func (f *Field[T]) timed() bool { return f.Age != nil || f.Figure != nil }

// near reports whether a name is likely a typing error for the field's.
func (f *Field[T]) near(name string) bool {
	return slices.ContainsFunc(append([]string{f.Name}, f.Also...), func(own string) bool {
		return len(name) > 1 && (strings.HasPrefix(own, name) || strings.HasPrefix(name, own)) || oneSlip(own, name)
	})
}

// oneSlip reports whether two words differ by one letter, added, missing or other,
// or by two that changed places.
func oneSlip(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 2 && len(b) == 2 {
		return a[0] == b[1] && a[1] == b[0]
	}
	return len(a) < 2 && len(b) < 2
}

// about describes the values of a field.
func (f *Field[T]) about(w *lang.Words) string {
	switch {
	case f.Age != nil:
		return w.Tf("%s: a time such as 30m, 2h or 7d", f.Name)
	case f.Money != nil:
		return w.Tf("%s: USD, as in %s", f.Name, f.example())
	case f.Figure != nil:
		return w.Tf(f.Unit.wants(), f.Name, f.example())
	case f.Word != nil:
		return w.Tf("%s: %s, as in %s", f.Name, strings.Join(f.Words, ", "), f.example())
	}
	return w.Tf("%s: text or /expression/, as in %s", f.Name, f.example())
}

// example is a whole term of the field.
func (f *Field[T]) example() string {
	switch {
	case f.Age != nil:
		return f.Name + "<2h"
	case f.Money != nil:
		return f.Name + "<20"
	case f.Figure != nil:
		return f.Name + f.Unit.example()
	case f.Word != nil:
		return f.Name + "=" + f.Words[0]
	}
	return f.Name + "~us"
}

// read reads a value, or returns its error.
func (f *Field[T]) read(w *lang.Words, op, value string) (a Ask, reason string) {
	a = Ask{Field: f.Name, Op: op}
	switch {
	case f.Money != nil:
		amount, err := dollars(unquote(value))
		if err != nil {
			return a, notDollars(w, unquote(value), lang.N("%s is no amount, as in %s"), f.example())
		}
		a.Amount = amount
	case f.Age != nil:
		age, ok := ParseAge(strings.ToLower(unquote(value)))
		if !ok {
			return a, w.Tf("%s is no time such as 30m, 2h or 7d, as in %s", unquote(value), f.example())
		}
		a.Age = age
	case f.Figure != nil:
		bound, ok := f.Unit.bound(value)
		if !ok {
			return a, notDollars(w, unquote(value), f.Unit.none(), f.example())
		}
		a.bound = bound
	case isExpression(op, value):
		a.expr, reason = compile(w, value)
		return a, reason
	default:
		a.Values = values(value)
	}
	if f.Alike != nil {
		for i, v := range a.Values {
			a.Values[i] = f.Alike(v)
		}
	}
	return a, ""
}

// matcher returns the test of a term, or its error.
func (f *Field[T]) matcher(w *lang.Words, a Ask) (match func(T) bool, reason string) {
	switch {
	case f.Money != nil:
		return func(row T) bool {
			amount, known := f.Money(row)
			return known && holds(a.Op, cmp.Compare(amount, a.Amount))
		}, ""
	case f.Age != nil:
		return func(row T) bool {
			got, ever := f.Age(row)
			if !ever {
				return holds(a.Op, 1)
			}
			return holds(a.Op, cmp.Compare(got, a.Age))
		}, ""
	case f.Figure != nil:
		return func(row T) bool { return f.Figure(row).compare(a.Op, a.bound) }, ""
	case a.expr != nil:
		read := f.Text
		if f.Word != nil {
			read = f.Word
		}
		return func(row T) bool { return a.expr.MatchString(read(row)) }, ""
	}
	return f.text(w, a.Op, a.Values)
}

// text tests text and words: one of the values is enough.
func (f *Field[T]) text(w *lang.Words, op string, values []string) (match func(T) bool, reason string) {
	read, is := f.Text, strings.Contains
	if op == "=" {
		is = func(text, value string) bool { return text == value }
	}
	if f.Word != nil {
		read, is = f.Word, strings.HasPrefix
		if op == "~" {
			is = strings.Contains
		}
		for _, v := range values {
			if !f.known(v, is) {
				return nil, w.Tf("%s is no %s: %s, as in %s", v, f.Name, strings.Join(f.Words, ", "), f.example())
			}
		}
	}
	return func(row T) bool {
		text := read(row)
		for _, v := range values {
			if is(text, v) {
				return true
			}
		}
		return false
	}, ""
}

// known reports whether a value stands for a word of the field's.
func (f *Field[T]) known(value string, is func(text, value string) bool) bool {
	for _, word := range f.Words {
		if is(word, value) {
			return true
		}
	}
	return false
}

// values splits at commas outside of quotes; empty ones are left out.
func values(text string) []string {
	var out []string
	text = strings.ToLower(text)
	from, quoted := 0, false
	add := func(part string) {
		if part = unquote(part); part != "" {
			out = append(out, part)
		}
	}
	for i := range len(text) {
		switch {
		case quoteAt(text, i):
			quoted = !quoted
		case text[i] == ',' && !quoted:
			add(text[from:i])
			from = i + 1
		}
	}
	add(text[from:])
	return out
}

// holds reports whether a comparison satisfies an operator.
func holds(op string, c int) bool {
	switch op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case ">=":
		return c >= 0
	}
	return c == 0
}

// mostAge bounds what an age's number can be, in its unit: a hundred years of
// seconds, and no overflow with the largest unit.
const mostAge = 15_000

// ParseAge reads an age such as 90s, 2h30m or 1w; false when it is none.
func ParseAge(text string) (time.Duration, bool) {
	var sum time.Duration
	if text == "" {
		return 0, false
	}
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		if n <= 0 {
			return 0, false
		}
		number, err := strconv.Atoi(text[:n])
		unit := unitOf(text[n])
		if err != nil || unit == 0 || number > mostAge {
			return 0, false
		}
		sum += time.Duration(number) * unit
		if sum < 0 {
			return 0, false
		}
		text = text[n+1:]
	}
	return sum, true
}

func unitOf(letter byte) time.Duration {
	switch letter {
	case 's':
		return time.Second
	case 'm':
		return time.Minute
	case 'h':
		return time.Hour
	case 'd':
		return 24 * time.Hour
	case 'w':
		return 7 * 24 * time.Hour
	}
	return 0
}
