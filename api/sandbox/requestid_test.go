package sandbox

import (
	"regexp"
	"testing"
)

func TestNoRequestIDLooksLikeANumber(t *testing.T) {
	t.Parallel()
	is, digits := regexp.MustCompile(`^req_[0-9a-f]{16}$`), regexp.MustCompile(`[0-9]{6}`)
	for range 10_000 {
		if id := newRequestID(); !is.MatchString(id) || digits.MatchString(id) {
			t.Fatal(id)
		}
	}
}
