// Package wire is how dashboard, guard and helper talk over pipes: a line of
// JSON, followed by the raw bytes of a secret where there is one. The secret
// stays out of the JSON so that no encoder keeps a copy of it.
package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// MaxPayload bounds what is put on a clipboard, in bytes: a table of some
// hundred rows, and in base64 no more than terminals and tmux take at once.
const MaxPayload = 32 << 10

// maxHeader bounds the line before it. Both ends are ours, so anything larger
// is a fault and ends the conversation.
const maxHeader = 64 << 10

// Op is what a frame is for.
type Op string

// Requests to the guard, requests to the helper, and answers.
const (
	Hello  Op = "hello"  // key, settings; answered by Ready
	Arm    Op = "arm"    // id, digest, time to live; the secret is still withheld
	Adopt  Op = "adopt"  // as Arm, for a copy that an earlier guard made
	Write  Op = "write"  // id and the secret as payload
	Clear  Op = "clear"  // take off what is held now
	Screen Op = "screen" // the terminal is ours, or is not
	Bye    Op = "bye"    // a clean end

	Check Op = "check" // helper: what is on the clipboard
	Await Op = "await" // helper: wait until the secret is on the clipboard
	Put   Op = "put"   // helper: put the payload on the clipboard

	Ready  Op = "ready"  // the guard is armed
	Done   Op = "done"   // a request is finished
	Report Op = "report" // the guard learnt something
)

// Outcome is what was found or achieved.
type Outcome string

// The outcomes of copies, clearings and checks.
const (
	Copied  Outcome = "copied"
	Sent    Outcome = "sent"
	Cleared Outcome = "cleared"
	Blanked Outcome = "blanked"
	Other   Outcome = "other"
	Empty   Outcome = "empty"
	Ours    Outcome = "ours"
	Gone    Outcome = "gone" // the display cannot be reached
	Stuck   Outcome = "stuck"
	NoTool  Outcome = "no tool"
)

// Frame is one message. Only the fields of its Op are set; Payload is the
// secret and never part of the JSON.
type Frame struct {
	Op      Op            `json:"op"`
	Seq     uint64        `json:"seq,omitempty"`
	ID      uint64        `json:"id,omitempty"`
	TTL     time.Duration `json:"ttl,omitempty"`
	Key     []byte        `json:"key,omitempty"`
	Digests [][]byte      `json:"digests,omitempty"`
	Now     bool          `json:"now,omitempty"`
	Setup   *Setup        `json:"setup,omitempty"`
	Info    *Info         `json:"info,omitempty"`
	Outcome Outcome       `json:"outcome,omitempty"`
	Via     string        `json:"via,omitempty"`    // the way a copy took
	Hinted  bool          `json:"hinted,omitempty"` // managers were asked to look away
	Err     string        `json:"err,omitempty"`
	Size    int           `json:"size,omitempty"`
	Payload []byte        `json:"-"`
}

// Setup is what the guard gets at the start.
type Setup struct {
	Helper []string `json:"helper"` // the command that starts a helper
	OSC52  bool     `json:"osc52"`
	Claims string   `json:"claims,omitempty"` // the folder of who copied last
	TTY    bool     `json:"tty"`              // the terminal is inherited
	Mode   []byte   `json:"mode,omitempty"`   // its settings, as screen.Mode gives them
	Held   bool     `json:"held"`             // the dashboard is on the screen
}

// Info describes the clipboard that the guard chose.
type Info struct {
	Mode     string   `json:"mode"`
	Tool     string   `json:"tool"`
	Promise  string   `json:"promise"`
	Warnings []string `json:"warnings,omitempty"`
}

// Failure returns the error a frame carries, or nil.
func (f Frame) Failure() error {
	if f.Err == "" {
		return nil
	}
	return errors.New(f.Err)
}

// Reader reads frames.
type Reader struct{ r *bufio.Reader }

// NewReader returns a reader of frames.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, maxHeader)}
}

// Read returns the next frame. The error is io.EOF at a clean end.
func (r *Reader) Read() (Frame, error) {
	line, err := r.r.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, io.EOF) && len(line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return Frame{}, err
	}
	var f Frame
	if err := json.Unmarshal(line, &f); err != nil {
		return Frame{}, fmt.Errorf("decode frame: %w", err)
	}
	if f.Size < 0 || f.Size > MaxPayload {
		return Frame{}, fmt.Errorf("decode frame: payload of %d bytes", f.Size)
	}
	if f.Size > 0 {
		f.Payload = make([]byte, f.Size)
		if _, err := io.ReadFull(r.r, f.Payload); err != nil {
			return Frame{}, fmt.Errorf("read payload: %w", err)
		}
	}
	return f, nil
}

// Writer writes frames and may be used from several goroutines.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
}

// NewWriter returns a writer of frames.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write sends a frame and its payload.
func (w *Writer) Write(f Frame) error {
	f.Size = len(f.Payload)
	line, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	if f.Size == 0 {
		return nil
	}
	if _, err := w.w.Write(f.Payload); err != nil {
		return fmt.Errorf("write payload: %w", err)
	}
	return nil
}
