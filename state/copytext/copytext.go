// Package copytext parses the template of the copy of a whole card.
package copytext

import "strings"

// Part is a part of a template: text, or a field that the vault fills in.
type Part struct {
	// Field is empty for text.
	Field Field
	Text  string
}

// Field is what a template may hold in braces.
type Field string

// The fields.
const (
	Number  Field = "number"
	Last4   Field = "last4"
	Month   Field = "month"
	Year    Field = "year"
	Year2   Field = "year2"
	CVV     Field = "cvv"
	Name    Field = "name"
	Address Field = "address"
	Label   Field = "label"
)

// Fields returns all fields, in the order the documentation lists them.
func Fields() []Field {
	return []Field{Number, Last4, Month, Year, Year2, CVV, Name, Address, Label}
}

// Parse returns the parts of a template. Names in braces are not checked here:
// the configuration checks them. A brace that is not closed stays text.
func Parse(template string) []Part {
	var parts []Part
	text := func(s string) {
		if s != "" {
			parts = append(parts, Part{Text: s})
		}
	}
	for rest := template; ; {
		before, after, open := strings.Cut(rest, "{")
		text(before)
		if !open {
			return parts
		}
		field, tail, closed := strings.Cut(after, "}")
		if !closed {
			text("{" + after)
			return parts
		}
		parts = append(parts, Part{Field: Field(field)})
		rest = tail
	}
}
