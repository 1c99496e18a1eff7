package sshd

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	gossh "golang.org/x/crypto/ssh"
)

func TestLinesAreSplitAsAShellDoes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line string
		want []string
		bad  bool
	}{
		{"otp --wait --card 2039", []string{"otp", "--wait", "--card", "2039"}, false},
		{"  otp\t--card  'fb/a b' ", []string{"otp", "--card", "fb/a b"}, false},
		{`otp --card "a \"b\" c" d\ e`, []string{"otp", "--card", `a "b" c`, "d e"}, false},
		{`'' ""`, []string{"", ""}, false},
		{`'\'`, []string{`\`}, false},
		{"otp; id $(id) `id` *", []string{"otp;", "id", "$(id)", "`id`", "*"}, false},
		{"", nil, false},
		{"'open", nil, true},
		{`end\`, nil, true},
		{"a\nb", nil, true},
		{"a\x1b[2J", nil, true},
		{strings.Repeat("x", longestLine+1), nil, true},
	} {
		got, err := words(tt.line)
		if !slices.Equal(got, tt.want) || (err != nil) != tt.bad {
			t.Errorf("%q is %q, %v", tt.line, got, err)
		}
	}
}

func TestValuesAreWordsThatNameNoOtherFile(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"xterm-256color": "xterm-256color", "screen.xterm-256color": "screen.xterm-256color", "C.UTF-8": "C.UTF-8",
		"../../etc/passwd": "", ".x": "", "a..b": "", "a/b": "", "a b": "", "a\x1b": "", "": "", "é": "", strings.Repeat("x", 65): "",
	} {
		if got := plain(value); got != want {
			t.Errorf("%q is %q", value, got)
		}
	}
	if env := environment("../x", map[string]string{"PATH": "/tmp"}); !slices.Equal(env, []string{"TERM=xterm", "TTY_FORCE=1", "SSH_TTY=remote"}) {
		t.Errorf("%q", env)
	}
}

func TestKeysThatAreTooWeakAreRefused(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS ann": "",
		"rubbish": "no public key",
		"":        "no public key",
		`command="sh" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS`:                                                                                                                        "no options",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS\nssh-ed25519 AAAA":                                                                                                                   "one line",
		"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7JHoJfg6yNzLMOWet8Z49a4KD0dCspMAYvo2YAMB7/wdEycocujbhJ2n/seONi+5XqTqqFkM5VBl8rmkkFPZk/7x0xmdsTPECSWnHK+HhoaNDFPR3j8jQhVo1laxiqcEhAHegi5cwtFosuJAvSKAFKEvyD43si00DQnXWrYHAEQ==": "3072 bits",
	} {
		_, err := ParseKey(line)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// FuzzRequests holds that whatever a client sends is refused or comes out plain.
func FuzzRequests(f *testing.F) {
	f.Add(gossh.Marshal(ptyRequest{Term: "xterm", Width: 80, Height: 24}))
	f.Add(gossh.Marshal(ptyRequest{Term: "xterm", Width: 0, Height: 1 << 31}))
	f.Add(gossh.Marshal(struct{ Name, Value string }{"LANG", "C"}))
	f.Add(gossh.Marshal(struct{ Line string }{"otp --card 'a b'"}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 'x'})
	f.Fuzz(func(t *testing.T, payload []byte) {
		if term, size, ok := parsePTY(payload); ok {
			checkSize(t, size)
			for _, v := range environment(term, nil) {
				if strings.ContainsAny(v, "/\x1b\x00\n ") {
					t.Errorf("the environment has %q", v)
				}
			}
		}
		if size, ok := parseWindow(payload); ok {
			checkSize(t, size)
		}
		if name, value, ok := parseEnv(payload); ok && (plain(value) != value || !slices.Contains([]string{"COLORTERM", "LANG", "NO_COLOR"}, name)) {
			t.Errorf("%s is %q", name, value)
		}
		list, err := parseExec(payload)
		for _, w := range list {
			if err != nil || strings.ContainsFunc(w, func(r rune) bool { return r < ' ' && r != '\t' }) || !utf8.ValidString(w) && utf8.Valid(payload) {
				t.Errorf("%q, %v", list, err)
			}
		}
	})
}

func checkSize(t *testing.T, s Size) {
	t.Helper()
	if s.Width < 1 || s.Width > mostWidth || s.Height < 1 || s.Height > mostHeight {
		t.Errorf("size %v", s)
	}
}
