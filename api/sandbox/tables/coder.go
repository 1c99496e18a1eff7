package tables

import (
	"encoding/binary"
	"encoding/json"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

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
