package edit

import (
	"cmp"
	"slices"
	"strings"
)

// set returns the text with a value at path, which is no table.
func (d *document) set(path []string, value string) ([]byte, error) {
	if slices.ContainsFunc(d.lists, func(l []string) bool { return below(path, l) }) {
		return nil, ErrNotEditable
	}
	var inline *statement
	for _, s := range d.statements {
		switch {
		case !s.head && slices.Equal(s.path, path):
			return d.replace(s.value, value), nil
		case s.brace && below(path, s.path):
			inline = s // The innermost comes last.
		}
	}
	if inline != nil {
		return d.addInline(inline, key(path[len(inline.path):])+" = "+value), nil
	}
	return d.add(path, value), nil
}

func (d *document) replace(at span, text string) []byte {
	return []byte(d.text[:at.from] + text + d.text[at.to:])
}

func (d *document) addInline(table *statement, entry string) []byte {
	for _, s := range slices.Backward(d.statements) {
		if s.inner == table {
			return d.replace(span{s.at.to, s.at.to}, ", "+entry)
		}
	}
	return d.replace(table.value, "{ "+entry+" }")
}

// add puts a new key behind the last one of its table, or into a new table.
func (d *document) add(path []string, value string) []byte {
	parent := path[:len(path)-1]
	var after *statement
	for _, s := range d.statements {
		switch {
		case s.inner != nil:
		case s.head && slices.Equal(s.path, parent):
			after = s
		case !s.head && s.table == len(parent) && below(s.path, parent):
			after = s
		case !s.head && s.table < len(parent) && len(s.path) > len(parent) && below(s.path, parent):
			after = s // The table is written in dotted keys.
		}
	}
	switch {
	case after != nil:
		return d.addLine(after, key(path[after.table:])+" = "+value)
	case len(parent) == 0:
		return d.addFirst(key(path) + " = " + value)
	}
	return d.addTable(parent, key(path[len(parent):])+" = "+value)
}

// addLine puts a line behind that of a statement, with its indentation.
func (d *document) addLine(after *statement, line string) []byte {
	at, indent := d.lineEnd(after.at.to), ""
	if !after.head {
		indent = d.text[d.lineStart(after.at.from):after.at.from]
	}
	return d.insert(at, indent+line+d.eol())
}

// addFirst puts the first key of the root: above the first table.
func (d *document) addFirst(line string) []byte {
	for i, s := range d.statements {
		if s.head {
			return d.insert(d.commentStart(i), line+d.eol()+d.eol())
		}
	}
	return d.insert(len(d.text), line+d.eol())
}

// addTable puts a new table behind those that share most of its name.
func (d *document) addTable(table []string, line string) []byte {
	at, most := len(d.text), 0
	for i, s := range d.statements {
		if n := shared(s.path, table); s.head && n > 0 && n >= most {
			at, most = d.sectionEnd(i), n
		}
	}
	at = len(strings.TrimRight(d.text[:at], " \t\r\n"))
	if at > 0 {
		at = d.lineEnd(at)
		line = d.eol() + "[" + key(table) + "]" + d.eol() + line
	} else {
		line = "[" + key(table) + "]" + d.eol() + line
	}
	return d.insert(at, line+d.eol())
}

// insert puts whole lines at the start of a line.
func (d *document) insert(at int, lines string) []byte {
	if at > 0 && d.text[at-1] != '\n' {
		lines = d.eol() + lines
	}
	return d.replace(span{at, at}, lines)
}

// remove returns the text without what lies at path.
func (d *document) remove(path []string) ([]byte, error) {
	if slices.ContainsFunc(d.lists, func(l []string) bool { return len(path) > len(l) && below(path, l) }) {
		return nil, ErrNotEditable
	}
	var cuts []span
	for i, s := range d.statements {
		if !below(s.path, path) {
			continue
		}
		switch {
		case s.head:
			cuts = append(cuts, span{d.commentStart(i), d.sectionEnd(i)})
		case s.inner != nil:
			cuts = append(cuts, d.inlineEntry(s))
		default:
			cuts = append(cuts, span{d.lineStart(s.at.from), d.lineEnd(s.at.to)})
		}
	}
	slices.SortFunc(cuts, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	from := 0
	for _, c := range cuts {
		out.WriteString(d.text[from:max(from, c.from)])
		from = max(from, c.to)
	}
	out.WriteString(d.text[from:])
	if text := out.String(); from == len(d.text) && from > 0 && len(cuts) > 0 {
		// No empty lines stay behind at the end.
		if text = strings.TrimRight(text, " \t\r\n"); text != "" {
			text += d.eol()
		}
		return []byte(text), nil
	}
	return []byte(out.String()), nil
}

// inlineEntry is a key of an inline table with the comma that goes with it.
func (d *document) inlineEntry(s *statement) span {
	var before *statement
	found := false
	for _, other := range d.statements {
		switch {
		case other.inner != s.inner:
		case other == s:
			found = true
		case found:
			return span{s.at.from, other.at.from}
		default:
			before = other
		}
	}
	if before != nil {
		return span{before.at.to, s.at.to}
	}
	return s.at
}
