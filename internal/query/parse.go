package query

import (
	"strings"
)

// token is a term as it stands in the text.
type token struct {
	from, to int
	text     string
}

// tokens splits a text at blanks outside of quotes and expressions. A quote
// that is still open reaches to the end.
func tokens(text string) []token {
	var out []token
	for at := 0; at < len(text); at++ {
		if blank(text[at]) {
			continue
		}
		to := at + reach(text[at:])
		out = append(out, token{at, to, text[at:to]})
		at = to
	}
	return out
}

// reach returns the length of the term that a text begins with.
func reach(text string) int {
	quoted := false
	for i := range len(text) {
		switch {
		case quoteAt(text, i):
			quoted = !quoted
		case quoted:
		case blank(text[i]):
			return i
		case expressionAt(text, i):
			n, _ := endOf(text[i:])
			return i + n
		}
	}
	return len(text)
}

// quoteAt reports whether a quote begins or ends at a place: one after a backslash is part of what
// is looked for.
func quoteAt(text string, i int) bool {
	return text[i] == '"' && (i == 0 || text[i-1] != '\\')
}

// isOpen reports whether the last quote of a term has no end.
func isOpen(term string) bool {
	open := false
	for i := range len(term) {
		switch {
		case quoteAt(term, i):
			open = !open
		case !open && expressionAt(term, i):
			return false // Its quotes are its own.
		}
	}
	return open
}

// connects returns why a term is none: what other languages connect terms by. In quotes it is a
// word to look for.
func (l *Language[T]) connects(term string) string {
	example := func(text string) string { return l.In.Tf("%s connects nothing here: %s", term, text) }
	switch strings.ToLower(term) {
	case "or", "||", "|":
		return example(l.In.T("commas separate values of which one is enough, as in status=active,frozen"))
	case "and", "&&", "&":
		return example(l.In.T("all terms have to hold anyway, as in status=active label~us"))
	case "not":
		return example(l.In.T("! before a term negates it, as in !status=active"))
	}
	if strings.HasPrefix(term, "(") || strings.HasSuffix(term, ")") && !strings.Contains(term, "(") {
		return l.In.Tf("%s: there are no brackets here, but in quotes, as in \"(x)\"", term)
	}
	return ""
}

// Parse reads what was typed. Its error is an *Error about the first term
// that is wrong.
func (l *Language[T]) Parse(text string) (Query[T], error) {
	var q Query[T]
	for _, tok := range tokens(text) {
		if why := l.connects(strings.TrimPrefix(tok.text, "!")); why != "" && len(l.Fields) > 0 {
			return Query[T]{}, whole(tok.from, tok.to, why)
		}
		t, err := l.term(tok, &q)
		if err != nil {
			return Query[T]{}, err
		}
		if isOpen(tok.text) {
			q.hint = l.In.T("a quote that ends")
		}
		if t.match == nil {
			continue // Not whole yet.
		}
		if t.source == "" {
			t.source = strings.ToLower(tok.text)
		}
		q.terms = append(q.terms, t)
	}
	return q, nil
}

// ParseAll reads several filters. One that is wrong matches nothing.
func (l *Language[T]) ParseAll(texts []string) []Query[T] {
	out := make([]Query[T], 0, len(texts))
	for _, text := range texts {
		q, err := l.Parse(text)
		if err != nil {
			q = Query[T]{terms: []term[T]{{match: func(T) bool { return false }}}}
		}
		out = append(out, q)
	}
	return out
}

// operators, the longer first.
func operators() []string { return []string{"!=", "!~", "<=", ">=", "=", "~", "<", ">"} }

// term reads one; an incomplete term matches nothing and is no
// error.
func (l *Language[T]) term(tok token, q *Query[T]) (term[T], error) {
	rest, not := strings.CutPrefix(tok.text, "!")
	at := tok.from + len(tok.text) - len(rest)
	if rest != "" && rest[0] == '/' {
		return l.expression(rest, not, token{at, tok.to, tok.text}, q)
	}
	name, op, value := l.parts(rest)
	if op == "" || len(l.Fields) == 0 {
		return l.word(unquote(rest), not, q), nil
	}
	if name == "" {
		return term[T]{}, whole(at, tok.to, l.In.Tf("a name is missing before %s, as in %s", op, l.Fields[0].example()))
	}
	f, ok := l.field(strings.ToLower(name))
	if !ok {
		return term[T]{}, whole(at, at+len(name), l.unknown(name))
	}
	if not != strings.HasPrefix(op, "!") {
		op, not = strings.TrimPrefix(op, "!"), true
	} else {
		op, not = strings.TrimPrefix(op, "!"), false
	}
	if reason := f.takes(l.In, op); reason != "" {
		return term[T]{}, &Error{at + len(name), tok.to, reason, f.about(l.In)}
	}
	if strings.Trim(unquote(value), ",") == "" {
		q.hint = f.about(l.In)
		return term[T]{}, nil
	}
	t, hint := term[T]{field: f.Name}, f.about(l.In)
	if isExpression(op, value) {
		t.source, hint = tok.text, expressionHint(l.In)
	}
	ask, reason := f.read(l.In, op, value)
	if reason == "" && isExpression(op, value) && ask.expr == nil {
		q.hint = hint
		return term[T]{}, nil
	}
	if reason == "" {
		t.match, reason = f.matcher(l.In, ask)
	}
	if reason != "" {
		return term[T]{}, &Error{tok.to - len(value), tok.to, reason, hint}
	}
	if !not && ask.expr == nil {
		t.ask = &ask
	}
	q.timed, q.slow = q.timed || f.timed(), q.slow || ask.expr != nil
	t.match = turned(t.match, not)
	return t, nil
}

// word looks for a word anywhere; without one the term says nothing yet: after "!", or in quotes.
func (l *Language[T]) word(text string, not bool, q *Query[T]) term[T] {
	if text == "" {
		q.hint = l.In.T("a word to look for")
		return term[T]{}
	}
	return l.bare(text, not)
}

// expression looks for one anywhere.
func (l *Language[T]) expression(text string, not bool, tok token, q *Query[T]) (term[T], error) {
	expr, reason := compile(l.In, text)
	if reason != "" {
		return term[T]{}, &Error{tok.from, tok.to, reason, expressionHint(l.In)}
	}
	if expr == nil {
		q.hint = expressionHint(l.In)
		return term[T]{}, nil
	}
	q.slow = true
	want := &Needle{expr: expr}
	return term[T]{source: tok.text, match: turned(func(row T) bool { return l.Holds(row, want) }, not)}, nil
}

// whole is an error that more typing does not fix.
func whole(from, to int, text string) *Error { return &Error{from, to, text, text} }

// bare looks for a word anywhere.
func (l *Language[T]) bare(word string, not bool) term[T] {
	word = strings.ToLower(word)
	if word == "" {
		return term[T]{}
	}
	want := wordNeedle(word)
	match := func(row T) bool { return l.Holds(row, want) }
	if not {
		return term[T]{match: turned(match, true)}
	}
	return term[T]{word: word, match: match}
}

func turned[T any](match func(T) bool, not bool) func(T) bool {
	if not {
		return func(row T) bool { return !match(row) }
	}
	return match
}

// split finds the first operator that does not stand within quotes.
func split(text string) (name, op, value string) {
	for i := range text {
		if text[i] == '"' {
			break
		}
		for _, op := range operators() {
			if strings.HasPrefix(text[i:], op) {
				return text[:i], op, text[i+len(op):]
			}
		}
	}
	return text, "", ""
}

// parts splits a term at its operator. field:value, which other programs have, is read as
// field~value of text, and else as field=value; any other colon is part of a word.
func (l *Language[T]) parts(text string) (name, op, value string) {
	if name, op, value = split(text); op != "" {
		return name, op, value
	}
	name, value, found := strings.Cut(text, ":")
	f, ok := l.field(strings.ToLower(name))
	switch {
	case !found || !ok:
		return text, "", ""
	case f.Text != nil:
		return name, "~", value
	}
	return name, "=", value
}

// unquote removes the quotes of a text, but those after a backslash.
func unquote(text string) string {
	if !strings.Contains(text, `"`) {
		return text
	}
	var out strings.Builder
	for i := range len(text) {
		switch {
		case quoteAt(text, i), text[i] == '\\' && strings.HasPrefix(text[i+1:], `"`):
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

func (l *Language[T]) field(name string) (*Field[T], bool) {
	for i := range l.Fields {
		f := &l.Fields[i]
		if f.Name == name {
			return f, true
		}
		for _, also := range f.Also {
			if also == name {
				return f, true
			}
		}
	}
	return nil, false
}

// unknown names the field that was likely meant, or lists all.
func (l *Language[T]) unknown(name string) string {
	for i := range l.Fields {
		if f := &l.Fields[i]; f.near(strings.ToLower(name)) {
			return l.In.Tf("no field %s (did you mean %s?), as in %s", name, f.Name, f.example())
		}
	}
	return l.In.Tf("no field %s: %s (%s)", name, l.names(), l.Fields[0].example())
}

func (l *Language[T]) names() string {
	names := make([]string, 0, len(l.Fields))
	for i := range l.Fields {
		names = append(names, l.Fields[i].Name)
	}
	return strings.Join(names, " ")
}
