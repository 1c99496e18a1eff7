package apitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Compare returns how an answer differs from the expected one. Both bodies are JSON with
// the values filled in.
func (r Response) Compare(example, actual []byte) []string {
	want, err := decode(example)
	if err != nil {
		return []string{"the example is not json"}
	}
	got, err := decode(actual)
	if err != nil {
		return []string{"the answer is not json"}
	}
	c := comparison{r: r}
	c.shape(nil, want, got)
	for _, path := range r.Exact {
		c.exact(path, want, got)
	}
	return c.problems
}

type comparison struct {
	r        Response
	problems []string
}

func (c *comparison) report(path []string, format string, args ...any) {
	c.problems = append(c.problems, pathText(path)+": "+fmt.Sprintf(format, args...))
}

func pathText(path []string) string {
	if len(path) == 0 {
		return "."
	}
	return strings.Join(path, ".")
}

// shape compares keys and types. Path has * for every index.
func (c *comparison) shape(path []string, want, got any) {
	if want == nil || got == nil {
		return
	}
	if kind(want) != kind(got) {
		c.report(path, "is %s, not %s", kind(got), kind(want))
		return
	}
	switch want := want.(type) {
	case map[string]any:
		c.object(path, want, asObject(got))
	case []any:
		c.array(path, want, asArray(got))
	}
}

func (c *comparison) object(path []string, want, got map[string]any) {
	name := pathText(path)
	if slices.Contains(c.r.Open, name) {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		below := append(slices.Clone(path), key)
		value, ok := got[key]
		switch {
		case ok:
			c.shape(below, want[key], value)
		case !slices.Contains(c.r.Optional, pathText(below)):
			c.report(below, "is missing")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		below := append(slices.Clone(path), key)
		if _, ok := want[key]; !ok && !slices.Contains(c.r.More, name) && !slices.Contains(c.r.Optional, pathText(below)) {
			c.report(below, "is not expected")
		}
	}
}

func (c *comparison) array(path []string, want, got []any) {
	if len(want) == 0 {
		return
	}
	if len(got) == 0 && (len(path) == 0 || path[len(path)-1] == "data") {
		c.report(path, "is empty")
	}
	below := append(slices.Clone(path), "*")
	for _, element := range got {
		c.shape(below, want[0], element)
	}
}

// exact compares the value at a path; with *, that of every element to the one of the
// example's first.
func (c *comparison) exact(path string, want, got any) {
	parts := strings.Split(path, ".")
	if path == "." {
		parts = nil
	}
	example := lookup(want, parts, true)
	values := lookup(got, parts, false)
	if len(example) == 0 || len(values) == 0 {
		c.report(parts, "there is nothing to compare")
		return
	}
	for _, value := range values {
		if !equal(example[0], value) {
			c.report(parts, "is %s, not %s", text(value), text(example[0]))
		}
	}
}

// lookup returns the values at a path.
func lookup(v any, path []string, first bool) []any {
	if len(path) == 0 {
		return []any{v}
	}
	switch v := v.(type) {
	case map[string]any:
		if value, ok := v[path[0]]; ok {
			return lookup(value, path[1:], first)
		}
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(v) {
			return lookup(v[i], path[1:], first)
		}
		var all []any
		for i, element := range v {
			if path[0] == "*" && (i == 0 || !first) {
				all = append(all, lookup(element, path[1:], first)...)
			}
		}
		return all
	}
	return nil
}

func equal(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, both := b.(json.Number)
	if isNumber && both {
		p, ok := new(big.Rat).SetString(x.String())
		q, okay := new(big.Rat).SetString(y.String())
		return ok && okay && p.Cmp(q) == 0
	}
	return text(a) == text(b)
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return string(b)
}

func kind(v any) string {
	switch v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	}
	return "null"
}

func asObject(v any) map[string]any { o, _ := v.(map[string]any); return o }

func asArray(v any) []any { a, _ := v.([]any); return a }

func decode(b []byte) (any, error) {
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}
