package tables

import "encoding/binary"

// Coder writes rows to bytes or reads them, so that one function of a row does both: whole numbers in as few
// bytes as they need, texts after their length.
type Coder struct {
	buf     []byte
	reading bool
	bad     bool // what is read is no row
	names   map[string]string
}

func newWriter() *Coder { return &Coder{buf: make([]byte, frameHead, 512)} }

// Reading reports whether rows are read.
func (c *Coder) Reading() bool { return c.reading }

// AtMost returns a number of parts that are to be read, or 0 when there are fewer bytes than that.
func (c *Coder) AtMost(n int) int {
	if c.reading && (n < 0 || n > len(c.buf)) {
		c.bad = true
		return 0
	}
	return n
}

// Num reads or writes a whole number.
func Num[T ~int | ~int64 | ~int32 | ~uint8](c *Coder, v *T) {
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

// Bool reads or writes a yes or no.
func (c *Coder) Bool(v *bool) {
	n := uint8(0)
	if *v {
		n = 1
	}
	Num(c, &n)
	*v = n == 1
}

// Bytes reads or writes bytes.
func (c *Coder) Bytes(v *[]byte) {
	if part := c.part(len(*v)); c.reading {
		*v = append([]byte(nil), part...)
	} else {
		c.buf = append(c.buf, *v...)
	}
}

// maxNames bounds the texts of which one copy serves many rows.
const maxNames = 4096

// Text reads or writes a text.
func (c *Coder) Text(v *string) {
	part := c.part(len(*v))
	if !c.reading {
		c.buf = append(c.buf, *v...)
		return
	}
	name, known := c.names[string(part)]
	if !known {
		name = string(part)
		if len(c.names) < maxNames {
			c.names[name] = name
		}
	}
	*v = name
}

// part reads or writes a length, and returns what has it when that is read.
func (c *Coder) part(n int) []byte {
	Num(c, &n)
	if !c.reading {
		return nil
	}
	n = c.AtMost(n)
	part := c.buf[:n]
	c.buf = c.buf[n:]
	return part
}

// table writes which table a record is of.
func (c *Coder) table(id byte) { c.buf = append(c.buf, id) }

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
