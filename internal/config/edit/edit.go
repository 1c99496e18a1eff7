// Package edit changes one setting of a TOML document and leaves every other
// byte of it as it was, comments, order and line ends among them.
package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
