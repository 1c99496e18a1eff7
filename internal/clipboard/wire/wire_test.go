package wire_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

func TestFramesSurviveThePipe(t *testing.T) {
	frames := []wire.Frame{
		{Op: wire.Hello, Key: []byte("key"), Setup: &wire.Setup{Helper: []string{"a", "b"}, OSC52: true, TTY: true, Mode: []byte("{}"), Held: true}},
		{Op: wire.Arm, Seq: 7, ID: 9, TTL: time.Minute, Digests: [][]byte{{1}, {2}}},
		{Op: wire.Write, Seq: 8, ID: 9, Payload: []byte("4242\n4242")},
		{Op: wire.Report, ID: 9, Outcome: wire.Stuck, Err: "why"},
		{Op: wire.Bye, Now: true},
	}
	var pipe bytes.Buffer
	w, r := wire.NewWriter(&pipe), wire.NewReader(&pipe)
	for _, f := range frames {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range frames {
		got, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		want.Size = len(want.Payload)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestPayloadStaysOutOfTheHeader(t *testing.T) {
	var pipe bytes.Buffer
	if err := wire.NewWriter(&pipe).Write(wire.Frame{Op: wire.Write, Payload: []byte("4242424242424242")}); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(pipe.String(), "\n")
	if strings.Contains(header, "4242") || strings.Contains(header, "NDI0") {
		t.Errorf("header %q", header)
	}
}

func TestBrokenFramesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON":          "hello\n",
		"cut header":        `{"op":"bye"`,
		"cut payload":       `{"op":"write","size":9}` + "\n1234",
		"negative payload":  `{"op":"write","size":-1}` + "\n",
		"oversized payload": `{"op":"write","size":32769}` + "\n" + strings.Repeat("x", wire.MaxPayload+1),
		"oversized header":  `{"err":"` + strings.Repeat("x", 70<<10) + `"}` + "\n",
	} {
		_, err := wire.NewReader(strings.NewReader(text)).Read()
		if err == nil || err == io.EOF { //nolint:errorlint // a clean end is exactly io.EOF
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestWriterReportsAClosedPipe(t *testing.T) {
	r, w := io.Pipe()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := wire.NewWriter(w).Write(wire.Frame{Op: wire.Bye}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}
