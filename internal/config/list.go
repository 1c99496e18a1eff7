package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/internal/config/edit"
)

// Listed is a setting as it is in the file, or would be without one.
type Listed struct {
	Setting
	Path []string // A star of the name is what the file has there.
	// Value is in force, Standard without the file; texts are without quotes, the
	// items of a list have commas between them.
	Value, Standard string
	Line            int      // Of the file; 0 where it does not set it.
	Choices         []string // All values there are; nil for more than a few.
	// New stands for entries that the file does not have yet: the star of the path is
	// to be replaced by a name.
	New bool
}

// List lists the settings of a valid file in the order of the documentation:
// those that it may hold once, and what it has of the others. Accounts are left
// out, and with them their keys, and so are rules.
func (s Source) List() ([]Listed, error) {
	file, err := s.read()
	if err != nil {
		return nil, fmt.Errorf("list configuration: %w", err)
	}
	defer clear(file.Data)
	entries, err := readDocument(bytes.TrimPrefix(file.Data, []byte("\ufeff")))
	if err != nil {
		return nil, fmt.Errorf("list configuration: %w", err)
	}
	var out []Listed
	for _, setting := range Reference() {
		if !strings.HasPrefix(setting.Name, "profiles.") && !strings.HasPrefix(setting.Name, ruleTable) {
			out = append(out, listed(setting, entries)...)
		}
	}
	return out, nil
}

// listed is a setting, or one for every name that the file has.
func listed(setting Setting, entries []entry) []Listed {
	pattern := strings.Split(setting.Name, ".")
	standard := plain(setting.Default)
	var out []Listed
	for _, e := range entries {
		if e.value.kind != kindTable && fits(pattern, e.path) {
			out = append(out, Listed{Setting: setting, Path: e.path, Value: e.value.plain(), Standard: standard, Line: e.at.line, Choices: setting.choices()})
		}
	}
	if len(out) == 0 && !strings.Contains(setting.Name, "*") {
		out = append(out, Listed{Setting: setting, Path: pattern, Value: standard, Standard: standard, Choices: setting.choices()})
	}
	// A command is several settings at once, of which one alone is refused.
	if strings.Contains(setting.Name, "*") && pattern[0] != "commands" {
		out = append(out, Listed{Setting: setting, Path: pattern, Choices: setting.choices(), New: true})
	}
	return out
}

// Named returns the entry of a new setting under a name, dotted and with its path;
// false where the name is not of this setting.
func (l Listed) Named(dotted string) (Listed, bool) {
	before, after, _ := strings.Cut(strings.Join(l.Path, "."), "*")
	rest, begins := strings.CutPrefix(dotted, before)
	name, ends := strings.CutSuffix(rest, after)
	if !l.New || !begins || !ends || name == "" {
		return Listed{}, false
	}
	l.Path = slices.Clone(l.Path)
	l.Path[slices.Index(l.Path, "*")] = name
	l.New = false
	return l, true
}

// fits reports whether a path is one of a pattern; a star at its end stands for
// a name that may have dots.
func fits(pattern, path []string) bool {
	if len(path) > len(pattern) && pattern[len(pattern)-1] == "*" {
		path = append(slices.Clone(path[:len(pattern)-1]), strings.Join(path[len(pattern)-1:], "."))
	}
	return slices.EqualFunc(pattern, path, func(p, part string) bool { return p == part || p == "*" })
}

// choices are the values of a setting that has few.
func (s Setting) choices() []string {
	if s.Type() == "true or false" {
		return []string{"true", "false"}
	}
	return s.schema.Enum
}

// plain is a value as a person types it.
func (v value) plain() string {
	if v.kind != kindList {
		return v.text
	}
	items := make([]string, len(v.items))
	for i, item := range v.items {
		items[i] = item.plain()
	}
	return strings.Join(items, ", ")
}

// plain is a value that is written in TOML as a person types it.
func plain(text string) string {
	entries, err := readDocument([]byte("v = " + text))
	if err != nil || len(entries) == 0 {
		return ""
	}
	return entries[0].value.plain()
}

// Set writes a setting of List as it was typed. The error says in one line what
// is wrong with it.
func (s Source) Set(l Listed, text string) error {
	value, err := l.parse(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	return onlyProblem(s.Change(func(doc []byte) ([]byte, error) { return edit.Set(doc, l.Path, value) }))
}

// Reset takes a setting of List out of the file, so that its default counts.
func (s Source) Reset(l Listed) error {
	return onlyProblem(s.Change(func(doc []byte) ([]byte, error) { return edit.Remove(doc, l.Path) }))
}

// onlyProblem is what is wrong, without a place in a file that was not written.
func onlyProblem(err error) error {
	var problems ProblemErrors
	if errors.As(err, &problems) {
		return errors.New(problems[0].Text)
	}
	return err
}

// parse reads a value as it was typed.
func (l Listed) parse(text string) (any, error) {
	switch l.Type() {
	case "true or false":
		if text != "true" && text != "false" {
			return nil, errors.New("type true or false")
		}
		return text == "true", nil
	case "integer":
		return wholeNumber(text)
	case "list of integers":
		numbers := []int{}
		for _, item := range items(text) {
			n, err := wholeNumber(item)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, n)
		}
		return numbers, nil
	case "list of strings":
		if l.Path[0] == "keys" {
			return keys(text), nil
		}
		return items(text), nil
	}
	return text, nil
}

func wholeNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, errors.New("type a whole number")
	}
	return n, nil
}

// items splits at commas; an empty text has none.
func items(text string) []string {
	out := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// keys splits at commas as items does, but that a comma where a key is to be is that key.
func keys(text string) []string {
	out := []string{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		key, rest, _ := strings.Cut(text, ",")
		if key == "" {
			key, rest = ",", strings.TrimPrefix(strings.TrimSpace(rest), ",")
		}
		out = append(out, strings.TrimSpace(key))
		text = rest
	}
	return out
}
