package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"

	"github.com/cardtop/cardtop/internal/config/edit"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/settings"
)

// reads is how a value is read that settings of several names have.
type reads[T any] struct {
	read   func(v value) (T, error)
	schema node
}

// whole reads a whole number between two bounds.
func whole(low, high int) reads[int] {
	return reads[int]{
		func(v value) (int, error) { return v.integer(low, high) },
		node{Type: "integer", Minimum: low, Maximum: high},
	}
}

// percentList reads a list of at most limit whole numbers, and sorts it.
func percentList(limit int) reads[[]int] {
	read := func(v value) ([]int, error) {
		if v.kind != kindList {
			return nil, wrongKind(v, "a list of numbers")
		}
		if len(v.items) > limit {
			return nil, fmt.Errorf("holds more than %d numbers", limit)
		}
		list := make([]int, 0, len(v.items))
		for _, item := range v.items {
			n, err := item.integer(1, alert.MaxPercent)
			if err != nil {
				return nil, &itemError{item.at, err}
			}
			list = append(list, n)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	return reads[[]int]{read, node{Type: "array", Items: &node{Type: "integer", Minimum: 1, Maximum: alert.MaxPercent}, MaxItems: limit}}
}

// own reads a line of alerts for the cards and campaigns that the name of the setting
// is.
func own[V, T any](r reads[V], field func(*alert.Rules) *[]alert.Own[T], line func(V) T) takes {
	set := func(t *target, v value) error {
		n, err := r.read(v)
		if err != nil {
			return err
		}
		list := field(&t.Alerts)
		*list = append(*list, alert.Own[T]{Of: t.star, Line: line(n)})
		return nil
	}
	return takes{set: set, schema: r.schema}
}

// quietHours reads hours as in 23:00-07:00.
func quietHours() takes {
	set := func(t *target, v value) error {
		s, err := v.line()
		if err != nil {
			return err
		}
		h, ok := alert.ParseHours(s)
		if !ok {
			return errors.New(`must be two different times of day, such as "23:00-07:00"`)
		}
		t.Alerts.Quiet.From, t.Alerts.Quiet.To = h.From, h.To
		return nil
	}
	clock := "([01]?[0-9]|2[0-3]):[0-5][0-9]"
	return takes{set: set, schema: node{Type: "string", Pattern: "^(" + clock + "-" + clock + ")?$"}}
}

// quietExcept reads kinds of alerts.
func quietExcept() takes {
	kinds := alert.Kinds()
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	known := oneOf(names...)
	set := func(t *target, v value) error {
		list, err := v.lines(len(names))
		var except []alert.Kind
		for _, name := range list {
			if err := known.check(name); err != nil {
				return err
			}
			except = append(except, kinds[slices.Index(names, name)])
		}
		t.Alerts.Quiet.Except = except
		return err
	}
	return takes{set: set, schema: textOrList(len(names), node{Type: "string", Enum: names})}
}

// CheckName returns why a name is none for a profile.
func CheckName(name string) error { return named().check(name) }

// Change replaces the file by what change makes of it, unless that would not be
// valid. A file that is not there is made, with mode 0600; where the path is a
// symbolic link, the file that it leads to is replaced. The error is
// ProblemErrors for what would be wrong in it.
func (s Source) Change(change func(doc []byte) ([]byte, error)) error {
	file, err := s.read()
	if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	before := file.Data
	defer clear(before)
	after, err := change(bytes.Clone(before))
	if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	defer clear(after)
	if bytes.Equal(before, after) {
		return nil
	}
	if file.ReadOnly() {
		return readOnly(file.Path)
	}
	settings, problems := parse(filepath.Base(s.Path), after)
	if len(problems) > 0 {
		return problems
	}
	if s.Check != nil {
		if err := s.Check(settings); err != nil {
			return err
		}
	}
	dir := filepath.Dir(file.Path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := fsafe.MkdirAll(dir); err != nil {
			return fmt.Errorf("change configuration: %w", err)
		}
	}
	// An editor may have saved it meanwhile: its text goes first.
	again, err := s.read()
	defer clear(again.Data)
	if err != nil || again.Path != file.Path || !bytes.Equal(before, again.Data) {
		return errors.Join(errors.New("change configuration: the file changed meanwhile, try again"), err)
	}
	if err := fsafe.WriteFile(file.Path, after); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return readOnly(file.Path)
	} else if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	return nil
}

func readOnly(path string) error {
	return fmt.Errorf("change configuration: %s is read-only: change it where it comes from", path)
}

// read returns the file that the path leads to, also when there is none yet. It may belong to the system,
// as the files of Nix do.
func (s Source) read() (fsafe.File, error) {
	path, err := fsafe.Resolve(s.Path)
	if err != nil {
		return fsafe.File{}, err
	}
	file, err := fsafe.ReadShared(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fsafe.File{Path: path}, nil
	}
	return file, err
}

// Save sets settings in the file, which it makes when there is none. Comments and the
// order of lines stay. A file with a mistake is left as it is.
func (s Source) Save(changes []settings.Setting) error {
	return s.Change(func(doc []byte) ([]byte, error) {
		for _, c := range changes {
			value, err := decode(c.Value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", strings.Join(c.Path, "."), err)
			}
			if doc, err = edit.Set(doc, c.Path, value); err != nil {
				return nil, err
			}
		}
		return doc, nil
	})
}

// decode reads a value as it is written in a file: a text, a number, or a list of
// numbers.
func decode(text string) (any, error) {
	var doc map[string]any
	if err := toml.Unmarshal([]byte("value = "+text), &doc); err != nil || len(doc) != 1 {
		return nil, fmt.Errorf("%q is no value", text)
	}
	list, ok := doc["value"].([]any)
	if !ok {
		return doc["value"], nil
	}
	numbers := make([]int, len(list))
	for i, item := range list {
		n, ok := item.(int64)
		if !ok {
			return nil, fmt.Errorf("%q is no list of numbers", text)
		}
		numbers[i] = int(n)
	}
	return numbers, nil
}
