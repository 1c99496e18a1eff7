package query

import (
	"bytes"
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

const (
	// mostExpression bounds an expression, in bytes; mostStates what it asks of
	// each letter at the worst, counted in its parts with repeats written out:
	// `(.{30}){30}` would hold up the keys on long lists.
	mostExpression = 200
	mostStates     = 1000
)

// anExpression is what terms that take one look like.
const anExpression = "/fb.*0[1-3]/"

// expressionHint describes an expression while it is typed.
func expressionHint(w *lang.Words) string {
	return w.Tf("a regular expression: . any letter, .* any letters, a|b, [0-9], ^ $ the ends, as in %s", anExpression)
}

// isExpression reports whether a field's value is one.
func isExpression(op, value string) bool { return op == "~" && strings.HasPrefix(value, "/") }

// Needle is what a term looks for in texts: a word or an expression.
type Needle struct {
	word string
	expr *regexp.Regexp
	// point is the word with a point where its last comma may be a decimal one: 12,50.
	point string
}

// wordNeedle looks for a word, in lower case.
func wordNeedle(word string) *Needle {
	n := &Needle{word: word}
	if i := strings.LastIndexByte(word, ','); i >= 0 && len(word)-i <= len(",50") {
		n.point = word[:i] + "." + word[i+1:]
	}
	return n
}

// In reports whether a text, in lower case, holds it.
func (n *Needle) In(text string) bool {
	if n.expr == nil {
		return strings.Contains(text, n.word)
	}
	return n.expr.MatchString(text)
}

// InBytes is In for text that is no string: none is made.
func (n *Needle) InBytes(text []byte) bool {
	if n.expr == nil {
		return len(n.word) <= len(text) && bytes.Contains(text, []byte(n.word))
	}
	return n.expr.Match(text)
}

// InAmount reports whether an amount holds it, written as 3,442.96 or as 3442.96; a
// word may have a decimal comma, as some languages of the screen do.
func (n *Needle) InAmount(u api.USD) bool {
	// To write amounts out takes time, so only what may be in one is looked for.
	if n.expr == nil && strings.Trim(n.word, "-0123456789.,") != "" {
		return false
	}
	plain := u.String()
	return n.In(plain) || n.point != "" && strings.Contains(plain, n.point) ||
		(u >= 1000*api.Dollar || u <= -1000*api.Dollar) && n.In(u.Grouped())
}

// expressionAt reports whether an expression begins at a byte of a term: at its
// first, or after a field's ~. Elsewhere a slash is a letter as any other, as it
// is in labels.
func expressionAt(term string, at int) bool {
	if term[at] != '/' {
		return false
	}
	before := strings.TrimPrefix(term[:at], "!")
	return before == "" || len(before) > 1 && strings.IndexAny(before, `"=<>~`) == len(before)-1 && before[len(before)-1] == '~'
}

// endOf returns the length of the expression that a text begins with, slashes
// included. It is closed by a slash before a blank, so that it can hold others;
// one that is still open reaches to the end.
func endOf(text string) (n int, closed bool) {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '/' && (i+1 == len(text) || blank(text[i+1])):
			return i + 1, true
		}
	}
	return len(text), false
}

// compile reads an expression in slashes, and returns why it is none. It is nil
// as long as nothing stands in them.
func compile(w *lang.Words, text string) (expr *regexp.Regexp, reason string) {
	inside := text[1:]
	if n, closed := endOf(text); closed {
		inside = text[1 : n-1]
	}
	if inside == "" {
		return nil, ""
	}
	why := w.T("too long")
	if len(inside) <= mostExpression {
		// A row's text may be several lines: each has its own ends.
		parsed, err := syntax.Parse("(?im)"+inside, syntax.Perl)
		var bad *syntax.Error
		switch {
		case errors.As(err, &bad):
			why = wrong(w, bad.Code)
		case states(parsed) > mostStates:
			why = w.T("it repeats too much")
		default:
			lower(parsed)
			if expr, err = regexp.Compile(parsed.String()); err == nil {
				return expr, ""
			}
		}
	}
	return nil, w.Tf("%s is no expression: %s, as in %s", text, why, anExpression)
}

// wrong says what is wrong with an expression, shorter than the parser does.
func wrong(w *lang.Words, code syntax.ErrorCode) string {
	switch code {
	case syntax.ErrMissingBracket:
		return w.T("a ] is missing")
	case syntax.ErrMissingParen:
		return w.T("a ) is missing")
	case syntax.ErrUnexpectedParen:
		return w.T("a ) has no ( before it")
	case syntax.ErrInvalidCharClass:
		return w.T("no such class in [ ]")
	case syntax.ErrInvalidCharRange:
		return w.T("no such range in [ ]")
	case syntax.ErrMissingRepeatArgument:
		return w.T("nothing to repeat before * + ? or {")
	case syntax.ErrInvalidRepeatOp:
		return w.T("one repeat after another")
	case syntax.ErrInvalidRepeatSize:
		return w.T("the count in { } is too large, or the wrong way round")
	case syntax.ErrTrailingBackslash:
		return w.T("nothing after the \\ at its end")
	case syntax.ErrInvalidEscape:
		return w.T("no such letter after \\")
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		return w.T("no such group with (?")
	case syntax.ErrInvalidUTF8:
		return w.T("it is not UTF-8")
	case syntax.ErrNestingDepth, syntax.ErrLarge:
		return w.T("it repeats too much")
	case syntax.ErrInternalError:
	}
	return string(code)
}

// states counts the parts of an expression, repeats written out. The parser
// bounds these to a thousand, nested ones too.
func states(e *syntax.Regexp) int {
	n := 1
	if e.Op == syntax.OpLiteral {
		n = len(e.Rune)
	}
	for _, sub := range e.Sub {
		n += states(sub)
	}
	if e.Op == syntax.OpRepeat {
		n *= max(1, e.Min, e.Max)
	}
	return n
}

// lower makes the words in an expression lower case, as the texts are: those
// that stand for both cases are looked for several times more slowly.
func lower(e *syntax.Regexp) {
	if e.Op == syntax.OpLiteral && e.Flags&syntax.FoldCase != 0 {
		e.Flags &^= syntax.FoldCase
		for i, r := range e.Rune {
			e.Rune[i] = unicode.ToLower(r)
		}
	}
	for _, sub := range e.Sub {
		lower(sub)
	}
}

func blank(b byte) bool { return b == ' ' || b == '\t' }
