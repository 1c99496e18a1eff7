package dialog

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/state"
)

// metadataRows bounds how many lines of metadata a form takes: more than the
// API does, so that too many are told and not cut.
const metadataRows = 60

// newPair is a line of metadata.
func newPair(value string) *field {
	f := &field{name: state.FieldMetadata, hint: "key=value; tab goes to the next line", entry: newText()}
	f.entry.SetValue(value)
	return f
}

// grow keeps one empty line of metadata at the end of a form.
func (f *form) grow() {
	last := f.fields[len(f.fields)-1]
	if last.name == state.FieldMetadata && last.entry.Value() != "" && f.count(state.FieldMetadata) < metadataRows {
		more := newPair("")
		more.hint = last.hint
		f.fields = append(f.fields, more)
	}
}

// count is how many lines have a name.
func (f *form) count(name string) int {
	n := 0
	for _, fd := range f.fields {
		if fd.name == name {
			n++
		}
	}
	return n
}

// pasteLines puts pasted lines of metadata below each other.
func (f *form) pasteLines(text string) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range lines {
		f.edit(func(e entry) { e.Paste(line) })
		f.grow()
		if i < len(lines)-1 && f.at < len(f.fields)-1 {
			f.at++
		}
	}
}

// pairs reads the lines of metadata, and writes at each what is wrong with
// it. has are the keys that are there already.
func (f *form) pairs(has map[string]bool) map[string]string {
	out := make(map[string]string)
	total := len(has)
	for _, fd := range f.fields {
		if fd.name != state.FieldMetadata {
			continue
		}
		fd.problem = ""
		text := strings.TrimSpace(fd.entry.Value())
		if text == "" {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		key = strings.TrimSpace(key)
		_, twice := out[key]
		if !has[key] && !twice {
			total++
		}
		switch {
		case !ok || key == "":
			fd.problem = "write it as key=value"
		case twice:
			fd.problem = "the key " + key + " is there twice"
		case total > state.MaxMetadata && !has[key]:
			fd.problem = fmt.Sprintf("%d keys, at most %d are allowed", total, state.MaxMetadata)
		}
		out[key] = strings.TrimSpace(value)
	}
	if first, ok := f.find(state.FieldMetadata); ok {
		first.label = fmt.Sprintf("metadata %d/%d", total, state.MaxMetadata)
	}
	return out
}
