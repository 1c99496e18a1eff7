package cli

import (
	"errors"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/query"
)

// Span is a flag that takes a duration as filters write it, such as 2h30m or
// 1w, and as Go does, such as 500ms.
type Span time.Duration

// Set implements pflag.Value.
func (s *Span) Set(text string) error {
	d, ok := query.ParseAge(strings.ToLower(text))
	if !ok {
		var err error
		if d, err = time.ParseDuration(text); err != nil || d < 0 {
			return errors.New("not a time")
		}
	}
	*s = Span(d)
	return nil
}

// String implements pflag.Value; empty for none.
func (s *Span) String() string {
	if s == nil || *s == 0 {
		return ""
	}
	text := time.Duration(*s).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Type is its name in the help.
func (*Span) Type() string { return "time" }

// Takes describes its values.
func (*Span) Takes() string { return "a time such as 90m, 24h, 1d or 2w" }
