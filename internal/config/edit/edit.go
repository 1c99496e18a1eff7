// Package edit changes one setting of a TOML document and leaves every other
// byte of it as it was, comments, order and line ends among them.
package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// ErrNotEditable is a change that would need more than one place of the
// document to be written anew. Errors quote no value of the document.
var ErrNotEditable = errors.New("write this setting in an editor")

// Set gives the key at path a value: a string, bool, int, int64, or a list of
// strings or integers. A key that is there keeps its place and the comment behind
// it; a new one stands last in its table, which is added when there is none.
// It fails when doc is not TOML, when path names a table, and when it lies in a
// list of tables.
func Set(doc []byte, path []string, value any) ([]byte, error) {
	text, plain, err := encode(value)
	if err != nil {
		return nil, err
	}
	if len(path) == 0 {
		return nil, errors.New("set: no key")
	}
	d, before, err := read(doc)
	if err != nil {
		return nil, err
	}
	if !put(before, path, plain) {
		return nil, fmt.Errorf("set %s: %w", name(path), ErrNotEditable)
	}
	out, err := d.set(path, text)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", name(path), err)
	}
	return verified(out, before, "set "+name(path))
}

// Remove deletes the key or the whole table at path, with the comments in it
// and those that stand right above its head. A path that is not there is no error.
func Remove(doc []byte, path []string) ([]byte, error) {
	if len(path) == 0 {
		return nil, errors.New("remove: no key")
	}
	d, before, err := read(doc)
	if err != nil {
		return nil, err
	}
	out, err := d.remove(path)
	if err != nil {
		return nil, fmt.Errorf("remove %s: %w", name(path), err)
	}
	drop(before, path)
	return verified(out, before, "remove "+name(path))
}

// verified returns doc when it holds what is wanted and nothing else: the
// document is somebody's, and no rule of TOML that was overlooked may damage it.
func verified(doc []byte, want map[string]any, action string) ([]byte, error) {
	var got map[string]any
	if err := toml.Unmarshal(doc, &got); err != nil || !equal(got, want) {
		return nil, fmt.Errorf("%s: %w", action, ErrNotEditable)
	}
	return doc, nil
}

// put sets a value in a decoded document; it reports false when a part of path
// is no table, or path is one.
func put(tree map[string]any, path []string, value any) bool {
	for _, part := range path[:len(path)-1] {
		switch inner := tree[part].(type) {
		case nil:
			next := make(map[string]any)
			tree[part], tree = next, next
		case map[string]any:
			tree = inner
		default:
			return false
		}
	}
	last := path[len(path)-1]
	if _, table := tree[last].(map[string]any); table {
		return false
	}
	tree[last] = value
	return true
}

func drop(tree map[string]any, path []string) {
	for _, part := range path[:len(path)-1] {
		inner, ok := tree[part].(map[string]any)
		if !ok {
			return
		}
		tree = inner
	}
	delete(tree, path[len(path)-1])
}

// equal compares decoded values; a table without keys is as good as none.
func equal(a, b any) bool {
	left, ok := a.(map[string]any)
	right, both := b.(map[string]any)
	if !ok || !both {
		return sameValue(a, b)
	}
	for key, value := range left {
		other, ok := right[key]
		if ok && !equal(value, other) || !ok && !empty(value) {
			return false
		}
	}
	for key, value := range right {
		if _, ok := left[key]; !ok && !empty(value) {
			return false
		}
	}
	return true
}

func empty(value any) bool {
	table, ok := value.(map[string]any)
	for _, inner := range table {
		ok = ok && empty(inner)
	}
	return ok
}

func sameValue(a, b any) bool {
	left, ok := a.([]any)
	right, both := b.([]any)
	if ok && both {
		return slices.EqualFunc(left, right, equal)
	}
	_, table := a.(map[string]any)
	_, tables := b.(map[string]any)
	return !ok && !both && !table && !tables && a == b
}

// name is a path for an error.
func name(path []string) string { return strings.Join(path, ".") }

// lineStart is where the line of a place starts.
func (d *document) lineStart(at int) int { return strings.LastIndexByte(d.text[:at], '\n') + 1 }

// lineEnd is where the line after a place starts.
func (d *document) lineEnd(at int) int { return at + lineLength(d.text[at:]) }

// eol is how lines of the document end.
func (d *document) eol() string {
	if strings.Contains(d.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// commentStart is where the comment starts that stands right above the head of
// a table, or the head itself. A line for an editor, such as "#:schema", is
// none.
func (d *document) commentStart(i int) int {
	at, least := d.lineStart(d.statements[i].at.from), 0
	if i > 0 {
		least = d.lineEnd(d.statements[i-1].at.to)
	}
	for at > least {
		above := d.lineStart(at - 1)
		line := strings.TrimLeft(d.text[above:at], " \t")
		if above < least || !strings.HasPrefix(line, "#") || strings.HasPrefix(line, "#:") {
			break
		}
		at = above
	}
	return at
}

// sectionEnd is where the table of a head ends: at the comment or head of the
// next.
func (d *document) sectionEnd(i int) int {
	for next := i + 1; next < len(d.statements); next++ {
		if d.statements[next].head {
			return d.commentStart(next)
		}
	}
	return len(d.text)
}

// shared is how many parts two names have in common at their start.
func shared(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// encode returns a value as TOML text and as the decoder gives it back.
func encode(value any) (text string, plain any, err error) {
	switch v := value.(type) {
	case string:
		if !utf8.ValidString(v) {
			return "", nil, fmt.Errorf("a text that is not UTF-8")
		}
		return quote(v), v, nil
	case bool:
		return strconv.FormatBool(v), v, nil
	case int:
		return strconv.Itoa(v), int64(v), nil
	case int64:
		return strconv.FormatInt(v, 10), v, nil
	case []string:
		return encodeList(v)
	case []int:
		return encodeList(v)
	}
	return "", nil, fmt.Errorf("cannot write a %T", value)
}

func encodeList[T any](items []T) (text string, plain any, err error) {
	texts, plains := make([]string, len(items)), make([]any, len(items))
	for i, item := range items {
		if texts[i], plains[i], err = encode(item); err != nil {
			return "", nil, err
		}
	}
	return "[" + strings.Join(texts, ", ") + "]", plains, nil
}

// quote is a basic string. TOML knows fewer escapes than Go.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// key writes a path as a dotted key, quoting what is no plain word.
func key(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = quote(part)
		}
	}
	return strings.Join(parts, ".")
}
