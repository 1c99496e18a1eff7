package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Pagination is the place of a page in its list. A field that the list does not have
// is 0: lists of transactions have no TotalPages, other lists have none of them.
type Pagination struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	Total      int `json:"total"`
	TotalPages int `json:"total_pages"`
}

// Page is one page of a list. An item that cannot be read costs the others nothing, but a
// list of which none can be read is an answer of another shape; one that is listed twice is there once, as it was listed last.
type Page[T any] struct {
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
	// Rows is how many items the answer had, Unread those of them that are not in Data
	// because they could not be read.
	Rows   int      `json:"-"`
	Unread []Unread `json:"-"`
	// Withheld is why a hub gives nothing of the list to the user; empty where it does.
	Withheld Text `json:"-"`
}

// Unread is an item of a list that could not be read.
type Unread struct {
	Route string `json:"-"`  // of the list, such as /cards
	ID    Text   `json:"id"` // empty where that could not be read either
	// Page and Row are where one without an identifier stood; 0 for others, and of a hub for
	// what it does not tell the user more of.
	Page int `json:"page"`
	Row  int `json:"row"`
}

// Full reports whether the answer had as many items as a page holds at most, or more where it repeats some: there
// may be others.
func (p *Page[T]) Full() bool { return p.Rows >= MaxPerPage }

// Uncounted reports whether the answer did not say how many items there are, or said fewer than it had.
func (p *Page[T]) Uncounted() bool {
	return p.Pagination == Pagination{} || p.Pagination.Total < len(p.Data)
}

// UnmarshalJSON decodes a page. A body without data is an error, not an empty list:
// otherwise an answer of another shape would look as if everything were gone.
func (p *Page[T]) UnmarshalJSON(b []byte) error {
	w := struct {
		Data       *[]T       `json:"data"`
		Pagination Pagination `json:"pagination"`
		Withheld   Text       `json:"withheld"`
		Unread     []Unread   `json:"unread"` // by a hub, of the service's list
	}{Data: new([]T)}
	room := min(MaxPerPage, len(b)/rowBytes+1)
	*w.Data = make([]T, 0, room)
	if err := json.Unmarshal(b, &w); err != nil {
		if w.Data != nil {
			wipeItems(*w.Data)
		}
		return p.salvage(b, err)
	}
	// A list without rows is decoded into a slice without room.
	if w.Data == nil || *w.Data == nil || len(*w.Data) == 0 && cap(*w.Data) == room {
		return MissingField("list", "data")
	}
	*p = Page[T]{Data: onceEach(*w.Data), Pagination: w.Pagination, Rows: len(*w.Data), Unread: w.Unread, Withheld: w.Withheld}
	return nil
}

// salvage decodes a page item by item after it could not be decoded as a list, because of
// err.
func (p *Page[T]) salvage(b []byte, err error) error {
	var w struct {
		Data       []json.RawMessage `json:"data"`
		Pagination json.RawMessage   `json:"pagination"`
		Unread     []Unread          `json:"unread"`
	}
	if json.Unmarshal(b, &w) != nil || w.Data == nil {
		return err
	}
	page := Page[T]{Data: make([]T, 0, len(w.Data)), Rows: len(w.Data)}
	if len(w.Pagination) > 0 && json.Unmarshal(w.Pagination, &page.Pagination) != nil {
		return err
	}
	for i, raw := range w.Data {
		if item, err := DecodeItem[T](raw); err == nil {
			page.Data = append(page.Data, item)
		} else if id := idOf(raw); id != "" {
			page.Unread = append(page.Unread, Unread{ID: id})
		} else {
			page.Unread = append(page.Unread, Unread{Page: page.Pagination.Page, Row: i + 1})
		}
		clear(raw) // It may hold a code.
	}
	if len(page.Data) == 0 && page.Rows > 0 {
		return noneRead(page.Unread)
	}
	page.Data = onceEach(page.Data)
	page.Unread = append(page.Unread, w.Unread...)
	page.Unread = leftOut(page.Unread, page.Data)
	*p = page
	return nil
}

// noneRead returns the error of a list of which no item can be read: it is an answer of
// another shape.
func noneRead(unread []Unread) error {
	const named = 3
	names := make([]string, 0, named)
	for _, u := range unread {
		if u.ID != "" && len(names) < named {
			names = append(names, string(u.ID))
		}
	}
	return errors.New("decode list: no item can be read " + strings.Join(names, ", "))
}

// leftOut returns each item that could not be read once, without those that were listed a
// second time and read there.
func leftOut[T any](unread []Unread, read []T) []Unread {
	return slices.CompactFunc(slices.DeleteFunc(unread, func(u Unread) bool {
		return u.ID != "" && slices.ContainsFunc(read, func(item T) bool {
			i, ok := any(&item).(identified)
			return ok && i.identifier() == string(u.ID)
		})
	}), func(a, b Unread) bool { return a.ID != "" && a == b })
}

// essential is an item with fields besides the required ones that it is not read without:
// it would be taken for another.
type essential interface{ essential() []string }

// DecodeItem decodes an item. A field that cannot be read and is not needed is left out,
// as if it had not been sent.
func DecodeItem[T any](raw []byte) (T, error) {
	var item, none T
	err := json.Unmarshal(raw, &item)
	if err == nil {
		return item, nil
	}
	wipeItems([]T{item})
	var fields, kept map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return none, err
	}
	kept = make(map[string]json.RawMessage, len(fields))
	needed, _ := any(&none).(essential)
	for name, value := range fields {
		var alone T
		ferr := json.Unmarshal(object(name, value), &alone)
		wipeItems([]T{alone})
		var missing *missingError
		switch {
		case ferr == nil || errors.As(ferr, &missing):
			kept[name] = value
		case needed != nil && slices.Contains(needed.essential(), name):
			return none, ferr
		}
	}
	rest, merr := json.Marshal(kept)
	defer clear(rest)
	if merr != nil {
		return none, merr
	}
	item = none
	if json.Unmarshal(rest, &item) != nil {
		wipeItems([]T{item})
		return none, err
	}
	return item, nil
}

// object returns an object of one field.
func object(name string, value json.RawMessage) []byte {
	key, err := json.Marshal(name)
	if err != nil {
		return nil
	}
	return slices.Concat([]byte{'{'}, key, []byte{':'}, value, []byte{'}'})
}

// idOf returns the identifier of an item that cannot be read; empty where that cannot be
// read either: its place in the list tells it apart then.
func idOf(raw []byte) Text {
	var w struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &w) != nil || len(w.ID) == 0 {
		return ""
	}
	id, err := decodeID(w.ID)
	if err != nil {
		return ""
	}
	return Text(redactSecrets(id))
}

// identified is an item of a list that has an identifier.
type identified interface{ identifier() string }

// onceEach leaves of items with the same identifier the last one, in the place of the
// first. It changes the slice.
func onceEach[T any](items []T) []T {
	at := make(map[string]int, len(items))
	once := items[:0]
	for i := range items {
		item, ok := any(&items[i]).(identified)
		if !ok {
			return items
		}
		id := item.identifier()
		if first, again := at[id]; again {
			wipeItems(once[first : first+1])
			once[first] = items[i]
			continue
		}
		at[id] = len(once)
		once = append(once, items[i])
	}
	clear(items[len(once):])
	return once
}

// wipeItems overwrites the secrets of items that nobody gets.
func wipeItems[T any](items []T) {
	for i := range items {
		if item, ok := any(&items[i]).(interface{ Wipe() }); ok {
			item.Wipe()
		}
	}
}

// CheckID refuses an answer about another object than the one that was requested: what follows would
// be done to that one. It passes on the answer and the error of a read.
func CheckID[T any, P interface {
	*T
	identified
}](id string, out T, err error) (T, error) {
	var zero T
	if err == nil && P(&out).identifier() != id {
		wipeItems([]T{out})
		return zero, fmt.Errorf("%w: it was asked for %s and answers %s", ErrOther, id, P(&out).identifier())
	}
	return out, err
}

// rowBytes is about how long a row is; the room for rows is made by it.
const rowBytes = 192

// MaxPerPage is the longest page of the paginated lists (contract, Limits).
const MaxPerPage = 100

// setPage sets page and per_page in a query; 0 is the service's default.
func setPage(q url.Values, page, perPage int) error {
	if page < 0 {
		return Invalid("page is below 1")
	}
	if perPage < 0 || perPage > MaxPerPage {
		return Invalid("per_page is not in 1-%d", MaxPerPage)
	}
	if page > 0 {
		q.Set("page", strconv.Itoa(page))
	}
	if perPage > 0 {
		q.Set("per_page", strconv.Itoa(perPage))
	}
	return nil
}

// set sets a query parameter unless it is empty.
func set[T ~string](q url.Values, name string, value T) {
	if value != "" {
		q.Set(name, string(value))
	}
}

// oneOf returns an error for a value outside its enumeration; "" is not set.
func oneOf[T ~string](name string, value T, allowed ...T) error {
	if value == "" {
		return nil
	}
	for _, a := range allowed {
		if a == value {
			return nil
		}
	}
	return Invalid("%s has no value %q", name, string(value))
}

// DecodePage decodes a page of a list.
func DecodePage[T any](b []byte) (p Page[T], err error) {
	err = json.Unmarshal(b, &p)
	return p, err
}

// firstError returns the first error unchanged: errors.Join would hide its type from a
// plain assertion.
func firstError(problems ...error) error {
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	return nil
}

// Read is a request for any resource of the contract, whose answer is passed on as it
// came.
type Read struct {
	Route string // template, such as /cards/{card_id}
	// Segment is the identifier in the place of the template's braces; empty for none.
	Segment string
	Query   url.Values
}
