package rows

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// Field is what is printed of a record under a name that scripts rely on.
type Field[T any] struct {
	Name, About string
	// Brief reports whether a table for people shows it.
	Brief bool
	Cell  func(T) Cell
}

// Names are what fields are called.
func Names[T any](fields []Field[T]) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Cells are the values of a record.
func Cells[T any](fields []Field[T], record T) []Cell {
	cells := make([]Cell, len(fields))
	for i, f := range fields {
		cells[i] = f.Cell(record)
	}
	return cells
}

// Flag is a cell of a truth value.
func Flag(b bool) Cell {
	text := strconv.FormatBool(b)
	return Cell{Text: text, JSON: text}
}

// List is a cell of several texts: separated by blanks where it is one text.
func List[T ~string](list []T) Cell {
	texts := make([]string, len(list)) // Not nil: an empty list is one.
	for i, t := range list {
		texts[i] = string(t)
	}
	return Cell{Text: strings.Join(texts, " "), JSON: encoded(texts)}
}

// Pairs is a cell of names and values, by name: name=value separated by blanks
// where it is one text, else an object.
func Pairs(m map[api.Text]api.Text) Cell {
	if len(m) == 0 {
		return Cell{JSON: "{}"}
	}
	var texts []string
	for name, value := range m {
		texts = append(texts, string(name)+"="+string(value))
	}
	slices.Sort(texts)
	return Cell{Text: strings.Join(texts, " "), JSON: encoded(m)}
}

// Maybe is a cell of an amount in USD that need not be known.
func Maybe(u *api.USD) Cell {
	if u == nil {
		return Cell{}
	}
	return Money(*u)
}

// MaybeCount is a cell of a count that need not be known.
func MaybeCount(n *int) Cell {
	if n == nil {
		return Cell{}
	}
	return Count(*n)
}

// Percent is a cell of a percentage that need not be known.
func Percent(f *float64) Cell {
	if f == nil {
		return Cell{}
	}
	return Cell{Text: strconv.FormatFloat(*f, 'f', -1, 64), Number: true}
}

// encoded returns a value as JSON; a map is in the order of its keys.
func encoded(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}
