package keymap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Line is one line of a person's own table: the keys of an action wherever it
// is, or with its context before it, as in "cards.sort". No keys take the
// action's keys away.
type Line struct {
	Name string
	Keys []string
}

// Fault is what is wrong with a line of a person's table. Word is what is
// misspelt and Known what it may stand for; both are empty when that is not
// it.
type Fault struct {
	Line  int // Place in the table, from 0.
	Text  string
	Word  string
	Known []string
}

// fixed tells the rows whose keys stay as they are: a person always finds the
// way out of a dialog and a locked screen, which name their keys themselves.
func (b Binding) fixed() bool { return b.Fixed || b.Context == Locked || b.Context.Inside() }

// reaches reports whether a key can be one of a context: what counts while a
// person types cannot be a key that types, or that leads through a form.
func reaches(c Context, key string) bool { return c != Always || !bare(key) || functionKey(key) }

// Remap gives the rows with the keys of a person's table. A line that is wrong
// changes nothing; any fault means that the table is not to be used.
func Remap(rows []Binding, lines []Line) ([]Binding, []Fault) {
	r := remap{rows: slices.Clone(rows), shipped: rows, by: make(map[int]int)}
	for _, qualified := range []bool{false, true} { // What names a context is the last word.
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

// contextOf is the context that a name begins with; empty without one.
func (r *remap) contextOf(name string) Context {
	head, _, ok := strings.Cut(name, ".")
	if ok && slices.ContainsFunc(r.rows, func(b Binding) bool { return string(b.Context) == head }) {
		return Context(head)
	}
	return ""
}

// set gives the rows that a line names its keys.
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
				continue // The line means the row that it can be a key of.
			}
		}
		b.Keys = mine
		if b.Action == Back && !slices.Contains(keys, wayBack) {
			b.Keys = append([]string{wayBack}, keys...)
		}
		r.by[i] = at
	}
}

// wayBack always leads back: screens say so.
const wayBack = "esc"

// keys reads the names of keys, each once.
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

// names are those a line can have, for the one that it may stand for.
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

// compare looks for others that claim a key of a row that a line has set.
func (r *remap) compare(row, line int, qualified bool) {
	mine := r.rows[row]
	for _, key := range mine.Keys {
		for i, other := range r.rows {
			if i == row || other.Action == mine.Action || !slices.Contains(other.Keys, key) {
				continue
			}
			if theirs, set := r.by[i]; set && theirs > line {
				continue // It is told once, at the later line.
			}
			if r.shippedSo(row, i, key) || !clash(mine.Context, other.Context, qualified) {
				continue
			}
			r.fault(line, fmt.Sprintf("%q is the key of %s already: give that another", key, string(other.Context)+"."+string(other.Action)))
			return
		}
	}
}

// shippedSo tells that two rows have a key in common as the table is shipped:
// the nearer one means it so.
func (r *remap) shippedSo(a, b int, key string) bool {
	return slices.Contains(r.shipped[a].Keys, key) && slices.Contains(r.shipped[b].Keys, key)
}

// clash tells whether a key cannot be in two contexts: in one, or where the
// other is looked up first. A line that names its context may take a key from
// what is looked up later, but for what is looked up before all else.
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
