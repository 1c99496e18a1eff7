// Package label fills templates of card labels.
package label

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
)

// Parts is what a label is made of.
type Parts struct {
	// N is the card's number, Label and Last4 what it is called now. A card that is
	// not issued yet has the number only.
	N            int
	Label, Last4 string
	// New reports whether the card is not issued yet.
	New bool
}

// Fill returns a label by its template: {n} is the number, {n:02} the number with at least
// two digits, {label} the label so far, {last4} the last digits.
func Fill(template string, p Parts) (string, error) {
	var b strings.Builder
	rest := template
	for {
		text, after, found := strings.Cut(rest, "{")
		b.WriteString(text)
		if !found {
			return b.String(), nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return "", fmt.Errorf("{%s has no closing }", after)
		}
		value, ok := p.value(name)
		if !ok {
			return "", fmt.Errorf("{%s} is not known: {n}, {n:02}%s are", name, p.others())
		}
		b.WriteString(value)
		rest = tail
	}
}

func (p Parts) others() string {
	if p.New {
		return ""
	}
	return ", {label}, {last4}"
}

func (p Parts) value(name string) (string, bool) {
	digits, padded := strings.CutPrefix(name, "n:0")
	switch {
	case name == "n":
		return strconv.Itoa(p.N), true
	case padded && len(digits) == 1 && digits >= "1" && digits <= "9":
		return fmt.Sprintf("%0*d", int(digits[0]-'0'), p.N), true
	case name == "label" && !p.New:
		return p.Label, true
	case name == "last4" && !p.New:
		return p.Last4, true
	}
	return "", false
}

// IssueTemplate describes cards that differ by their number only.
type IssueTemplate struct {
	// Request is what they have in common; its label is the template.
	Request api.CreateCardRequest
	Count   int
	// Start is the first card's number.
	Start int
}

// Rows returns the requests.
func (t IssueTemplate) Rows() ([]cardcsv.Row, error) {
	switch {
	case t.Count < 1:
		return nil, errors.New("at least one card")
	case t.Count > cardcsv.MaxRows:
		return nil, fmt.Errorf("at most %d cards at once", cardcsv.MaxRows)
	}
	rows := make([]cardcsv.Row, 0, t.Count)
	for i := range t.Count {
		r := t.Request
		label, err := Fill(t.Request.Label, Parts{N: t.Start + i, New: true})
		if err != nil {
			return nil, err
		}
		r.Label = label
		rows = append(rows, cardcsv.Row{Request: r})
	}
	return rows, nil
}

// CardTemplate is a named start for the forms of new cards.
type CardTemplate struct {
	Name string
	// Request holds what the template sets; its label may have the fields of Fill.
	Request api.CreateCardRequest
}

// Numbered returns a label that ends in a number as a template of it, and the number;
// ok is false when it does not end in one.
func Numbered(label string) (template string, n int, ok bool) {
	head := strings.TrimRight(label, "0123456789")
	digits := label[len(head):]
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) > 9 || strings.ContainsAny(head, "{}") {
		return label, 0, false
	}
	if len(digits) == 1 {
		return head + "{n}", n, true
	}
	return fmt.Sprintf("%s{n:0%d}", head, len(digits)), n, true
}

// Free returns the first number from start on whose label none of the labels is, and
// start for a template without a number.
func Free(template string, start int, labels iter.Seq[string]) int {
	head, _, numbered := strings.Cut(template, "{n")
	if !numbered {
		return start
	}
	taken := make(map[string]bool)
	for l := range labels {
		if strings.HasPrefix(l, head) {
			taken[l] = true
		}
	}
	for n := start; ; n++ {
		if text, err := Fill(template, Parts{N: n, New: true}); err != nil || !taken[text] {
			return n
		}
	}
}
