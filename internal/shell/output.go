package shell

// Output holds the first Limit bytes of what is written and discards the rest,
// so that the writer never blocks or fails. It never grows its array, which
// would leave a copy behind.
type Output struct {
	Limit int
	data  []byte
	over  bool
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	if o.data == nil {
		o.data = make([]byte, 0, o.Limit)
	}
	room := o.Limit - len(o.data)
	if len(p) > room {
		o.over = true
	}
	o.data = append(o.data, p[:min(room, len(p))]...)
	return len(p), nil
}

// Bytes returns what is held. Wipe overwrites it.
func (o *Output) Bytes() []byte { return o.data }

// Over reports whether more than Limit bytes were written.
func (o *Output) Over() bool { return o.over }

// Wipe overwrites what is held with zeros.
func (o *Output) Wipe() { clear(o.data[:cap(o.data)]) }
