package keymap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Line is one line of [keys] in the configuration: the keys of an action in every
// context, or in one, as in "cards.sort". No keys unbind it.
type Line struct {
	Name string
	Keys []string
}

// Fault is what is wrong with a line. Word is misspelt and Known what it may
// stand for; both are empty for other faults.
type Fault struct {
	Line  int // Place in the table, from 0.
	Text  string
	Word  string
	Known []string
}

// fixed reports whether the keys of a row cannot be changed: dialogs and the
// locked screen name their keys themselves.
func (b Binding) fixed() bool { return b.Fixed || b.Context == Locked || b.Context.Inside() }

// reaches reports whether a key can be bound in a context: a key that works while
// text is typed must not type or move through a form.
func reaches(c Context, key string) bool { return c != Always || !bare(key) || functionKey(key) }

// Remap returns the rows with the keys of the configuration. A faulty line changes
// nothing; with any fault the result must not be used.
func Remap(rows []Binding, lines []Line) ([]Binding, []Fault) {
	r := remap{rows: slices.Clone(rows), shipped: rows, by: make(map[int]int)}
	for _, qualified := range []bool{false, true} { // A line with a context wins.
		for i, line := range lines {
			if r.contextOf(line.Name) != "" == qualified {
				r.set(i, line)
			}
		}
	}
	for row := range r.rows {
		if line, ok := r.by[row]; ok {
			r.compare(row, line, r.contextOf(lines[line].Name) != "")
		}
	}
	slices.SortStableFunc(r.faults, func(a, b Fault) int { return a.Line - b.Line })
	return r.rows, r.faults
}

type remap struct {
	rows, shipped []Binding
	by            map[int]int // The line that set a row.
	faults        []Fault
}

func (r *remap) fault(line int, text string) {
	r.faults = append(r.faults, Fault{Line: line, Text: text})
}

// contextOf returns the context that a name begins with; empty without one.
func (r *remap) contextOf(name string) Context {
	head, _, ok := strings.Cut(name, ".")
	if ok && slices.ContainsFunc(r.rows, func(b Binding) bool { return string(b.Context) == head }) {
		return Context(head)
	}
	return ""
}

// set sets the keys of the rows that a line names.
func (r *remap) set(at int, line Line) {
	context := r.contextOf(line.Name)
	action := strings.TrimPrefix(line.Name, string(context)+".")
	var rows []int
	held := false
	for i, b := range r.rows {
		if string(b.Action) != action || context != "" && b.Context != context {
			continue
		}
		if b.fixed() {
			held = true
			continue
		}
		rows = append(rows, i)
	}
	switch {
	case len(rows) == 0 && held:
		r.fault(at, "the keys of dialogs and fields cannot be changed")
		return
	case len(rows) == 0:
		r.faults = append(r.faults, Fault{Line: at, Text: fmt.Sprintf("there is no action %q", line.Name), Word: line.Name, Known: r.names(context)})
		return
	}
	keys, ok := r.keys(at, line.Keys)
	if !ok {
		return
	}
	for _, i := range rows {
		b := &r.rows[i]
		if k := slices.IndexFunc(keys, bare); b.Danger && k >= 0 {
			r.fault(at, fmt.Sprintf("%q alone cannot be the key of %s, which is for good: put ctrl or alt with it", keys[k], b.Action))
			return
		}
		mine := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !reaches(b.Context, key) })
		if len(mine) < len(keys) {
			if context != "" {
				r.fault(at, fmt.Sprintf("%q counts while you type: put ctrl or alt with it", keys[slices.IndexFunc(keys, func(key string) bool { return !reaches(b.Context, key) })]))
				return
			}
			if len(mine) == 0 {
				continue // The line is about another row of the action.
			}
		}
		b.Keys = mine
		if b.Action == Back && !slices.Contains(keys, wayBack) {
			b.Keys = append([]string{wayBack}, keys...)
		}
		r.by[i] = at
	}
}

// wayBack is always bound to Back: screens name it.
const wayBack = "esc"

// keys returns the keys of the names, each once.
func (r *remap) keys(at int, names []string) (keys []string, ok bool) {
	ok = true
	for _, name := range names {
		key, err := Canonical(name)
		var wrong *KeyError
		if errors.As(err, &wrong) {
			r.faults = append(r.faults, Fault{Line: at, Text: wrong.Error(), Word: name, Known: wrong.Known})
			ok = false
			continue
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, ok
}

// names returns the possible names of a line, to find misspellings.
func (r *remap) names(context Context) []string {
	var names []string
	for _, b := range r.rows {
		if b.fixed() {
			continue
		}
		name := string(b.Action)
		if context != "" {
			name = string(b.Context) + "." + name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// compare finds other rows that claim a key of a row set by a line.
func (r *remap) compare(row, line int, qualified bool) {
	mine := r.rows[row]
	for _, key := range mine.Keys {
		for i, other := range r.rows {
			if i == row || other.Action == mine.Action || !slices.Contains(other.Keys, key) {
				continue
			}
			if theirs, set := r.by[i]; set && theirs > line {
				continue // It is reported once, at the later line.
			}
			if r.shippedSo(row, i, key) || !clash(mine.Context, other.Context, qualified) {
				continue
			}
			r.fault(line, fmt.Sprintf("%q is the key of %s already: give that another", key, string(other.Context)+"."+string(other.Action)))
			return
		}
	}
}

// shippedSo reports whether two rows share a key in the default table, which is
// intended.
func (r *remap) shippedSo(a, b int, key string) bool {
	return slices.Contains(r.shipped[a].Keys, key) && slices.Contains(r.shipped[b].Keys, key)
}

// clash reports whether a key cannot be in two contexts: in the same one, or
// where the other is looked up first. A line that names its context may override
// a context that is looked up later, but not Always.
func clash(mine, other Context, qualified bool) bool {
	if mine == other || mine == Always || other == Always {
		return true
	}
	if other == Locked || other.Inside() {
		return false
	}
	for _, c := range []Context{mine, other, Cards, Wallet} {
		chain := Chain(c)
		m, o := slices.Index(chain, mine), slices.Index(chain, other)
		if m >= 0 && o >= 0 && (o < m || !qualified) {
			return true
		}
	}
	return false
}
