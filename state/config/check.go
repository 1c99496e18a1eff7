package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const maxName = 64

// checkProfileName refuses what looks like a key: names are shown and become
// names of directories.
func checkProfileName(s string) error {
	if strings.HasPrefix(strings.ToLower(s), "sk_") {
		return errors.New("must not be an API key")
	}
	return checkName(s)
}

// checkName accepts what is safe in a file name and on a command line.
func checkName(s string) error {
	if s == "" || len(s) > maxName || strings.IndexFunc(s, notInName) >= 0 || !isAlnum(rune(s[0])) {
		return fmt.Errorf("must be 1 to %d letters, digits, dots, dashes or underscores and start with a letter or digit", maxName)
	}
	return nil
}

func notInName(r rune) bool { return !isAlnum(r) && !strings.ContainsRune("._-", r) }

func isAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func checkFilled(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("must not be empty")
	}
	return nil
}

func checkBaseURL(s string) error {
	if _, err := ParseOrigin(s); err != nil {
		return fmt.Errorf("is no base URL: %w", err)
	}
	return nil
}

// checkHeader accepts a field name of HTTP (RFC 9110, token).
func checkHeader(s string) error {
	notInToken := func(r rune) bool { return !isAlnum(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) }
	if s == "" || len(s) > maxName || strings.IndexFunc(s, notInToken) >= 0 {
		return errors.New("must be the name of an HTTP header")
	}
	return nil
}

// checkTemplate accepts a text whose braces hold known fields.
func checkTemplate(s string) error {
	if s == "" || len(s) > maxText {
		return fmt.Errorf("must be 1 to %d bytes", maxText)
	}
	for rest := s; ; {
		before, after, found := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			return errors.New("has a } without a {")
		}
		notPlain := func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }
		if strings.IndexFunc(before, notPlain) >= 0 {
			return errors.New("holds a control character")
		}
		if !found {
			return nil
		}
		field, tail, closed := strings.Cut(after, "}")
		if !closed {
			return errors.New("has a { without a }")
		}
		if fields := TemplateFields(); !slices.Contains(fields, field) {
			return fmt.Errorf("has an unknown field %q%s; fields: %s", field, meant(nearest(field, fields)), strings.Join(fields, ", "))
		}
		rest = tail
	}
}
