package tables

import (
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// List is a table whose rows are numbered from 1 without gaps, and never go.
type List[T any] struct {
	id    byte
	rows  []T
	next  T // while it is read
	code  func(*Coder, *T)
	moved func(before, after *T)
}

// NewList adds a list to the tables. code reads or writes a row; moved, which may be nil, is called after each row
// that came, changed or went.
func NewList[T any](d *DB, code func(*Coder, *T), moved func(before, after *T)) *List[T] {
	l := &List[T]{id: byte(len(d.tables)), code: code, moved: moved}
	d.tables = append(d.tables, l)
	return l
}

// Len returns the number of rows, which is the number of the last one.
func (l *List[T]) Len() int64 { return int64(len(l.rows)) }

// Grow makes room for more rows.
func (l *List[T]) Grow(more int) { l.rows = slices.Grow(l.rows, more) }

// Rows returns all rows; row n is at n-1.
func (l *List[T]) Rows() []T { return l.rows }

// At returns row n; ok is false when there is none.
func (l *List[T]) At(n int64) (row T, ok bool) {
	if n < 1 || n > int64(len(l.rows)) {
		return row, false
	}
	return l.rows[n-1], true
}

// Add adds a row and returns its number.
func (l *List[T]) Add(tx *Tx, row T) int64 {
	n := l.Len() + 1
	l.Set(tx, n, row)
	return n
}

// Set replaces row n, or adds it when it is the next one.
func (l *List[T]) Set(tx *Tx, n int64, row T) {
	if tx.fills {
		l.put(n, row) // A way back would be garbage for each of a million rows.
		return
	}
	l.set(tx, n, row)
}

func (l *List[T]) set(tx *Tx, n int64, row T) {
	before, is := l.At(n)
	l.put(n, row)
	tx.changed(func() {
		if is {
			l.put(n, before)
			return
		}
		l.rows = l.rows[:n-1]
		l.move(&row, nil)
	}, func(c *Coder) { l.encode(c, n, &row) })
}

func (l *List[T]) put(n int64, row T) {
	if n <= l.Len() {
		before := l.rows[n-1]
		l.rows[n-1] = row
		l.move(&before, &l.rows[n-1])
		return
	}
	l.rows = append(l.rows, row)
	l.move(nil, &l.rows[n-1])
}

func (l *List[T]) move(before, after *T) {
	if l.moved != nil {
		l.moved(before, after)
	}
}

// A record of a list has the number of the row; before the first, 0 and how many there will be.
func (l *List[T]) encode(c *Coder, n int64, row *T) {
	c.buf = append(c.buf, l.id)
	c.Fields(&n)
	l.code(c, row)
}

func (l *List[T]) write(record func(func(*Coder))) {
	record(func(c *Coder) {
		none, size := 0, len(l.rows)
		c.buf = append(c.buf, l.id)
		c.Fields(&none, &size)
	})
	for i := range l.rows {
		record(func(c *Coder) { l.encode(c, int64(i+1), &l.rows[i]) })
	}
}

func (l *List[T]) read(c *Coder) {
	var n, size int64
	if c.Fields(&n); n == 0 {
		if c.Fields(&size); size < 0 || size > maxRows {
			c.bad = true
		} else {
			l.Grow(int(size))
		}
		return
	}
	var none T
	l.next = none // A variable here would be garbage for each of a million rows.
	if l.code(c, &l.next); n < 0 || n > l.Len()+1 {
		c.bad = true
	}
	if !c.bad {
		l.put(n, l.next)
	}
}

// maxRows is above the rows of any list.
const maxRows = 1 << 30

// Order is rows in an order that tells any two apart.
type Order[T any] struct {
	Rows    []T
	Compare func(a, b T) int
}

// From returns the rows from the first that is not before one.
func (o *Order[T]) From(row T) []T {
	i, _ := slices.BinarySearchFunc(o.Rows, row, o.Compare)
	return o.Rows[i:]
}

// Put adds a row, or replaces the one in its place.
func (o *Order[T]) Put(row T) {
	i, is := slices.BinarySearchFunc(o.Rows, row, o.Compare)
	if is {
		o.Rows[i] = row
		return
	}
	o.Rows = slices.Insert(o.Rows, i, row)
}

// Delete removes a row; the first of many costs nothing.
func (o *Order[T]) Delete(row T) {
	switch i, is := slices.BinarySearchFunc(o.Rows, row, o.Compare); {
	case !is:
	case i == 0:
		var none T
		o.Rows[0] = none
		o.Rows = o.Rows[1:]
	default:
		o.Rows = slices.Delete(o.Rows, i, i+1)
	}
}

// Set is a table whose rows come and go, in an order.
type Set[T any] struct {
	Order[T]
	id    byte
	code  func(*Coder, *T)
	moved func(before, after *T)
}

// NewSet adds a set to the tables. code and moved are as in [NewList].
func NewSet[T any](d *DB, compare func(a, b T) int, code func(*Coder, *T), moved func(before, after *T)) *Set[T] {
	s := &Set[T]{Order: Order[T]{Compare: compare}, id: byte(len(d.tables)), code: code, moved: moved}
	d.tables = append(d.tables, s)
	return s
}

// Insert adds a row that is not there.
func (s *Set[T]) Insert(tx *Tx, row T) { s.change(tx, row, true) }

// Remove removes a row that is there.
func (s *Set[T]) Remove(tx *Tx, row T) { s.change(tx, row, false) }

func (s *Set[T]) change(tx *Tx, row T, there bool) {
	s.put(row, there)
	tx.changed(func() { s.put(row, !there) }, func(c *Coder) { s.encode(c, &row, there) })
}

func (s *Set[T]) put(row T, there bool) {
	before, after := (*T)(nil), &row
	if there {
		s.Put(row)
	} else {
		s.Delete(row)
		before, after = after, before
	}
	if s.moved != nil {
		s.moved(before, after)
	}
}

func (s *Set[T]) encode(c *Coder, row *T, there bool) {
	op := uint8(0)
	if there {
		op = 1
	}
	c.buf = append(c.buf, s.id, op)
	s.code(c, row)
}

func (s *Set[T]) write(record func(func(*Coder))) {
	for i := range s.Rows {
		record(func(c *Coder) { s.encode(c, &s.Rows[i], true) })
	}
}

func (s *Set[T]) read(c *Coder) {
	if len(c.buf) == 0 {
		c.bad = true
		return
	}
	var row T
	there := c.buf[0] == 1
	c.buf = c.buf[1:]
	if s.code(c, &row); !c.bad {
		s.put(row, there)
	}
}

// Coder writes rows to bytes or reads them, so that one function of a row does both: whole numbers in as few
// bytes as they need, texts and lists after their length.
type Coder struct {
	buf     []byte
	reading bool
	bad     bool // what is read is no row
	names   map[string]string
}

func newWriter() *Coder { return &Coder{buf: make([]byte, frameHead, 512)} }

// Fields reads or writes what pointers to fields point at.
func (c *Coder) Fields(fields ...any) {
	for _, field := range fields {
		switch v := field.(type) {
		case *int64:
			num(c, v)
		case *int32:
			num(c, v)
		case *int:
			num(c, v)
		case *uint8:
			num(c, v)
		case *unit.Cents:
			num(c, v)
		case *unit.Instant:
			num(c, v)
		case *string:
			c.text(v)
		case *[]byte:
			c.bytes(v)
		case *[32]byte:
			part := v[:]
			c.bytes(&part)
			copy(v[:], part)
		case *[]string:
			c.texts(v)
		case *map[string]json.RawMessage:
			c.object(v)
		default:
			c.bad = true
		}
	}
}

func num[T ~int | ~int64 | ~int32 | ~uint8](c *Coder, v *T) {
	if !c.reading {
		c.buf = binary.AppendVarint(c.buf, int64(*v))
		return
	}
	value, n := binary.Varint(c.buf)
	*v = T(value)
	if n <= 0 || int64(*v) != value {
		c.bad, n = true, len(c.buf)
	}
	c.buf = c.buf[n:]
}

// length reads or writes how many follow of what has at least a byte each.
func (c *Coder) length(n int) int {
	if num(c, &n); c.reading && (n < 0 || n > len(c.buf)) {
		c.bad = true
		return 0
	}
	return n
}

func (c *Coder) bytes(v *[]byte) {
	n := c.length(len(*v))
	if !c.reading {
		c.buf = append(c.buf, *v...)
		return
	}
	*v, c.buf = append([]byte(nil), c.buf[:n]...), c.buf[n:]
}

// maxNames bounds the texts of which one copy serves many rows.
const maxNames = 4096

func (c *Coder) text(v *string) {
	n := c.length(len(*v))
	if !c.reading {
		c.buf = append(c.buf, *v...)
		return
	}
	name, known := c.names[string(c.buf[:n])]
	if !known {
		if name = string(c.buf[:n]); len(c.names) < maxNames {
			c.names[name] = name
		}
	}
	*v, c.buf = name, c.buf[n:]
}

func (c *Coder) texts(list *[]string) {
	if n := c.length(len(*list)); c.reading {
		*list = make([]string, n)
	}
	for i := range *list {
		c.text(&(*list)[i])
	}
}

func (c *Coder) object(m *map[string]json.RawMessage) {
	n := c.length(len(*m))
	if !c.reading {
		for name, value := range *m {
			c.Fields(&name, (*[]byte)(&value))
		}
		return
	}
	*m = make(map[string]json.RawMessage, n)
	for range n {
		var name string
		var value []byte
		c.Fields(&name, &value)
		(*m)[name] = value
	}
}

// apply does what all records of a frame say, and reports whether they are any.
func (c *Coder) apply(frame []byte, tables []table) bool {
	c.buf, c.reading = frame, true
	for len(c.buf) > 0 && !c.bad {
		id := int(c.buf[0])
		if c.buf = c.buf[1:]; id >= len(tables) {
			return false
		}
		tables[id].read(c)
	}
	return !c.bad
}
