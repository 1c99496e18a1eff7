package query

import "strings"

// Suggestion is a text that a filter may go on as.
type Suggestion struct {
	// Text is the whole filter with its last term completed.
	Text string
	// About describes the field that the term is of.
	About string
	// Open reports whether something has to follow: a value.
	Open bool
}

// Suggest returns what the last term of a filter may become: names of fields with
// their usual operator, or values of the field that is named. values are those
// that rows have for a field by its name, where they are known.
func (l *Language[T]) Suggest(text string, values func(field string) []string) []Suggestion {
	before, last := text, ""
	if all := tokens(text); len(all) > 0 && all[len(all)-1].to == len(text) {
		last = all[len(all)-1].text
		before = text[:len(text)-len(last)]
	}
	rest, not := strings.CutPrefix(last, "!")
	if not {
		before += "!"
	}
	name, op, value := split(rest)
	if op == "" {
		return l.suggestFields(before, strings.ToLower(rest))
	}
	f, ok := l.field(strings.ToLower(name))
	if !ok || f.Text == nil && f.Word == nil || f.takes(l.In, strings.TrimPrefix(op, "!")) != "" {
		return nil
	}
	known := f.Words
	if f.Text != nil {
		known = values(f.Name)
	}
	return suggestValues(before+name+op, value, f.about(l.In), known)
}

// suggestFields are the fields whose names begin with a text.
func (l *Language[T]) suggestFields(before, begin string) []Suggestion {
	var out []Suggestion
	for i := range l.Fields {
		f := &l.Fields[i]
		for _, name := range append([]string{f.Name}, f.Also...) {
			if !strings.HasPrefix(name, begin) || name != f.Name && begin == "" {
				continue
			}
			op := "<"
			switch {
			case f.Word != nil:
				op = "="
			case f.Text != nil:
				op = "~"
			}
			out = append(out, Suggestion{before + name + op, f.about(l.In), true})
		}
	}
	return out
}

// suggestValues are the values that go on as the last of those that commas separate.
func suggestValues(before, value, about string, known []string) []Suggestion {
	if at := strings.LastIndexByte(value, ','); at >= 0 && strings.Count(value[:at], `"`)%2 == 0 {
		before, value = before+value[:at+1], value[at+1:]
	}
	begin, quoted := strings.CutPrefix(strings.ToLower(value), `"`)
	var out []Suggestion
	for _, v := range known {
		if !strings.HasPrefix(strings.ToLower(v), begin) || strings.Contains(v, `"`) {
			continue
		}
		if quoted || strings.HasPrefix(v, "/") || strings.ContainsAny(v, " ,") {
			v = `"` + v + `"`
		}
		out = append(out, Suggestion{Text: before + v, About: about})
	}
	return out
}
