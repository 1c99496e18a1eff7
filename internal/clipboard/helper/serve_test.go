package helper

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

var errBroken = errors.New("broken")

// fake is a clipboard that can be late, stubborn or broken.
type fake struct {
	text   string
	then   []string // what the following reads find instead
	read   error
	write  error
	keeps  bool // writing changes nothing
	writes []string
	swept  int
}

func (f *fake) board() board {
	return board{
		read: func() (string, error) {
			if len(f.then) > 0 {
				defer func() { f.then = f.then[1:] }()
				return f.then[0], f.read
			}
			return f.text, f.read
		},
		write: func(s string) error {
			f.writes = append(f.writes, s)
			if f.write == nil && !f.keeps {
				f.text = s
			}
			return f.write
		},
		sweep: func(mark.Set) error { f.swept++; return nil },
	}
}

func TestServe(t *testing.T) {
	key := mark.Key("key")
	for _, tc := range []struct {
		name   string
		op     wire.Op
		clip   fake
		want   wire.Outcome
		err    error
		writes int
		text   string
	}{
		{"check ours", wire.Check, fake{text: "123"}, wire.Ours, nil, 0, "123"},
		{"check other", wire.Check, fake{text: "mine"}, wire.Other, nil, 0, "mine"},
		{"check empty", wire.Check, fake{}, wire.Empty, nil, 0, ""},
		{"check no display", wire.Check, fake{read: errNoDisplay}, wire.Gone, nil, 0, ""},
		{"check broken", wire.Check, fake{read: errBroken}, "", errBroken, 0, ""},
		{"await late", wire.Await, fake{text: "123", then: []string{"", "mine", ""}}, wire.Ours, nil, 0, "123"},
		{"await no display", wire.Await, fake{read: errNoDisplay}, wire.Gone, errNoDisplay, 0, ""},
		{"put", wire.Put, fake{text: "mine"}, wire.Ours, nil, 1, "123"},
		{"put late", wire.Put, fake{then: []string{"mine", "mine"}}, wire.Ours, nil, 1, "123"},
		{"put broken", wire.Put, fake{write: errBroken}, "", errBroken, 1, ""},
		{"clear ours", wire.Clear, fake{text: "123"}, wire.Cleared, nil, 1, ""},
		{"clear ours with line feed", wire.Clear, fake{text: "123\n"}, wire.Cleared, nil, 1, ""},
		{"clear slow", wire.Clear, fake{then: []string{"123", "123", "123"}}, wire.Cleared, nil, 1, ""},
		{"clear other", wire.Clear, fake{text: "mine"}, wire.Other, nil, 0, "mine"},
		{"clear empty", wire.Clear, fake{}, wire.Empty, nil, 0, ""},
		{"clear no display", wire.Clear, fake{read: errNoDisplay}, wire.Gone, nil, 0, ""},
		{"clear broken", wire.Clear, fake{text: "123", write: errBroken}, wire.Ours, errBroken, 1, "123"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				req := wire.Frame{Op: tc.op, Key: key, Digests: [][]byte{key.Sum([]byte("123"))}, Payload: []byte("123")}
				got, err := tc.clip.board().serve(req)
				if got != tc.want || !errors.Is(err, tc.err) {
					t.Errorf("got %q, %v", got, err)
				}
				if len(tc.clip.writes) != tc.writes || tc.clip.text != tc.text {
					t.Errorf("%d writes, text %q", len(tc.clip.writes), tc.clip.text)
				}
			})
		})
	}
}

func TestClearOwnsUpToAStubbornClipboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := mark.Key("key")
		f := fake{text: "123", keeps: true}
		got, err := f.board().serve(wire.Frame{Op: wire.Clear, Key: key, Digests: [][]byte{key.Sum([]byte("123"))}})
		if got != wire.Ours || err == nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestServeRefusesNonsense(t *testing.T) {
	if _, err := new(fake).board().serve(wire.Frame{Op: wire.Bye}); err == nil {
		t.Error("an unknown request is served")
	}
	if rc := Serve(bytes.NewReader(nil), new(bytes.Buffer)); rc != 2 {
		t.Errorf("no request: exit %d", rc)
	}
}

func TestWordsOfTools(t *testing.T) {
	for said, want := range map[string][2]bool{
		"Error: target STRING not available":                       {true, false},
		"No selection":                                             {true, false},
		"Nothing is copied":                                        {true, false},
		"No suitable type of content copied":                       {true, false},
		"Error: Can't open display: :99":                           {false, true},
		"xsel: Can't open display: :99\n: Inappropriate ioctl":     {false, true},
		"Failed to connect to a Wayland server: Connection refuse": {false, true},
		"Segmentation fault":                                       {false, false},
		"":                                                         {false, false},
	} {
		if got := [2]bool{saysNoText(said), saysNoDisplay(said)}; got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for said, want := range map[string]string{
		"  two\nlines":         "two",
		"\x1b]52;c;AAAA\x07 x": "]52;c;AAAA x",
		"grün":                 "grn",
		"":                     "the clipboard tool failed without a word",
	} {
		if got := Plain(said, nil); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
	if got := Plain(string(bytes.Repeat([]byte("x"), 500)), nil); len(got) != 120 {
		t.Errorf("%d characters", len(got))
	}
}

// TestAToolThatRepeatsWhatItWasGiven hides it.
func TestAToolThatRepeatsWhatItWasGiven(t *testing.T) {
	given := func(word []byte) bool { return string(word) == "A7f-x" }
	for said, want := range map[string]string{
		"cannot own 'A7f-x': no display":          "cannot own [hidden] no display",
		"bad text 4111 1111 1111 1111, giving up": "bad text [hidden], giving up",
		"4111111111111111":                        "[hidden]",
		"cvv=123":                                 "cvv=[hidden]",
		"cannot open display :0":                  "cannot open display :0",
	} {
		if got := Plain(said, given); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
}
