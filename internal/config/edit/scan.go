package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// span is a part of a text, in bytes.
type span struct{ from, to int }

// statement is a key with its value, or the head of a table.
type statement struct {
	path  []string // From the root.
	table int      // How much of path is the table it stands in; all of it for a head.
	at    span     // From the key to the end of the value; a head with its brackets.
	value span     // Empty for a head.
	head  bool
	list  bool       // A head in two brackets.
	inner *statement // The inline table it stands in.
	brace bool       // The value is an inline table.
}

// document is a text and the statements in it, in their order.
type document struct {
	text       string
	pos        int
	statements []*statement
	lists      [][]string // The tables in two brackets.
}

// read splits a document that the decoder has found to be TOML, so the scanner
// need not report what is wrong with one that is not.
func read(doc []byte) (*document, map[string]any, error) {
	tree := make(map[string]any)
	if err := toml.Unmarshal(doc, &tree); err != nil {
		return nil, nil, fmt.Errorf("the file is not valid TOML: %w", ErrNotEditable)
	}
	d := &document{text: string(doc)}
	var table []string
	for d.blank(true); d.pos < len(d.text); d.blank(true) {
		if d.text[d.pos] != '[' {
			if !d.keyValue(table, nil) {
				return nil, nil, ErrNotEditable
			}
			continue
		}
		s, ok := d.heading()
		if !ok {
			return nil, nil, ErrNotEditable
		}
		if s.list {
			d.lists = append(d.lists, s.path)
		}
		table = s.path
	}
	return d, tree, nil
}

// below reports whether a path is another, or lies in it.
func below(path, in []string) bool {
	return len(path) >= len(in) && slices.Equal(path[:len(in)], in)
}

// blank skips spaces and, over lines, line ends and comments.
func (d *document) blank(lines bool) {
	for ; d.pos < len(d.text); d.pos++ {
		switch c := d.text[d.pos]; {
		case c == ' ' || c == '\t':
		case lines && (c == '\n' || c == '\r'):
		case lines && c == '#':
			d.pos += lineLength(d.text[d.pos:]) - 1
		default:
			return
		}
	}
}

// lineLength is how long the first line of a text is, with its end.
func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

func (d *document) heading() (*statement, bool) {
	s := &statement{head: true, at: span{from: d.pos}}
	s.list = strings.HasPrefix(d.text[d.pos:], "[[")
	for d.pos < len(d.text) && d.text[d.pos] == '[' {
		d.pos++
	}
	var ok bool
	if s.path, ok = d.key(); !ok {
		return nil, false
	}
	for d.pos < len(d.text) && d.text[d.pos] == ']' {
		d.pos++
	}
	s.at.to, s.table = d.pos, len(s.path)
	d.statements = append(d.statements, s)
	return s, true
}

// keyValue reads a key with its value, and the keys in an inline table.
func (d *document) keyValue(table []string, inner *statement) bool {
	s := &statement{table: len(table), at: span{from: d.pos}, inner: inner}
	path, ok := d.key()
	if !ok || d.pos >= len(d.text) || d.text[d.pos] != '=' {
		return false
	}
	d.pos++
	d.blank(false)
	s.path, s.value.from = slices.Concat(table, path), d.pos
	d.statements = append(d.statements, s)
	if s.brace = strings.HasPrefix(d.text[d.pos:], "{"); s.brace {
		ok = d.inline(s)
	} else {
		ok = d.skipValue()
	}
	s.value.to, s.at.to = d.pos, d.pos
	return ok
}

// inline reads the keys of an inline table.
func (d *document) inline(s *statement) bool {
	d.pos++
	for d.blank(true); d.pos < len(d.text); d.blank(true) {
		switch d.text[d.pos] {
		case '}':
			d.pos++
			return true
		case ',':
			d.pos++
		default:
			if !d.keyValue(s.path, s) {
				return false
			}
		}
	}
	return false
}

// key reads the parts of a dotted key and the spaces behind it.
func (d *document) key() (path []string, ok bool) {
	for {
		d.blank(false)
		from := d.pos
		var part string
		switch {
		case d.pos >= len(d.text):
			return nil, false
		case d.text[d.pos] == '\'':
			d.skipString()
			part = d.text[from+1 : max(from+1, d.pos-1)]
		case d.text[d.pos] == '"':
			d.skipString()
			var err error
			if part, err = strconv.Unquote(d.text[from:d.pos]); err != nil {
				return nil, false
			}
		default:
			d.pos += len(d.text[d.pos:]) - len(strings.TrimLeft(d.text[d.pos:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"))
			if part = d.text[from:d.pos]; part == "" {
				return nil, false
			}
		}
		path = append(path, part)
		d.blank(false)
		if d.pos >= len(d.text) || d.text[d.pos] != '.' {
			return path, true
		}
		d.pos++
	}
}

// skipValue passes a value that holds no keys of the document.
func (d *document) skipValue() bool {
	switch {
	case d.pos >= len(d.text):
		return false
	case d.text[d.pos] == '"' || d.text[d.pos] == '\'':
		d.skipString()
	case d.text[d.pos] == '[' || d.text[d.pos] == '{':
		return d.skipNested()
	default:
		end := strings.IndexAny(d.text[d.pos:], ",]}#\r\n")
		if end < 0 {
			end = len(d.text) - d.pos
		}
		d.pos += len(strings.TrimRight(d.text[d.pos:d.pos+end], " \t"))
	}
	return true
}

// skipNested passes a list, with the lists, tables and texts in it.
func (d *document) skipNested() bool {
	depth := 0
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case '[', '{':
			depth++
			d.pos++
		case ']', '}':
			depth--
			d.pos++
			if depth == 0 {
				return true
			}
		case '"', '\'':
			d.skipString()
		case '#':
			d.pos += lineLength(d.text[d.pos:])
		default:
			d.pos++
		}
	}
	return false
}

// skipString passes a text in one quote or three.
func (d *document) skipString() {
	mark := d.text[d.pos : d.pos+1]
	if three := strings.Repeat(mark, 3); strings.HasPrefix(d.text[d.pos:], three) {
		mark = three
	}
	literal := mark[0] == '\''
	for d.pos += len(mark); d.pos < len(d.text); d.pos++ {
		if d.text[d.pos] == '\\' && !literal {
			d.pos++
			continue
		}
		if !strings.HasPrefix(d.text[d.pos:], mark) {
			continue
		}
		d.pos += len(mark)
		// A text in three quotes may end in quotes of its own.
		for len(mark) == 3 && d.pos < len(d.text) && d.text[d.pos] == mark[0] {
			d.pos++
		}
		return
	}
	d.pos = len(d.text)
}
