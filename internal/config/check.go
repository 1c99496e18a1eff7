package config

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/copytext"
)

const maxName = 64

// matching accepts what fits a pattern, which a JSON schema says as well.
func matching(pattern, otherwise string) rule {
	fits := regexp.MustCompile(pattern)
	check := func(s string) error {
		if fits.MatchString(s) {
			return nil
		}
		return errors.New(otherwise)
	}
	return rule{check, node{Pattern: pattern}}
}

// named is the name of a profile or a command: safe in a file name and on a
// command line. It refuses what looks like a key: names are shown.
func named() rule {
	safe := matching(fmt.Sprintf(`^[A-Za-z0-9][A-Za-z0-9._-]{0,%d}$`, maxName-1),
		fmt.Sprintf("must be 1 to %d letters, digits, dots, dashes or underscores and start with a letter or digit", maxName))
	check := func(s string) error {
		if strings.HasPrefix(strings.ToLower(s), "sk_") {
			return errors.New("must not be an API key")
		}
		return safe.check(s)
	}
	return rule{check, safe.schema}
}

func filled() rule { return matching(`\S`, "must not be empty") }

func baseURL() rule {
	check := func(s string) error {
		if _, err := ParseOrigin(s); err != nil {
			return fmt.Errorf("is no base URL: %w", err)
		}
		return nil
	}
	return rule{check, node{Pattern: `^\s*[A-Za-z]+://.+/v1/*\s*$`}}
}

// listenAddress is a host and a port.
func listenAddress() rule {
	check := func(s string) error {
		_, port, err := net.SplitHostPort(s)
		if n, perr := strconv.ParseUint(port, 10, 16); err != nil || perr != nil || n == 0 {
			return fmt.Errorf("must be a host and a port as in 127.0.0.1:8420, not %q", s)
		}
		return nil
	}
	return rule{check, node{Pattern: `:[0-9]+$`}}
}

// pushURL is what a webhook may be registered for.
func pushURL() rule {
	check := func(s string) error {
		if _, err := api.CreateWebhookWrite(api.CreateWebhookRequest{URL: s, Events: []string{api.AllEvents}}); err != nil {
			return errors.New("must be an address as https://host/path, without name and password")
		}
		return nil
	}
	return rule{check, node{Pattern: `^https?://`}}
}

// headerName is the name of a header of HTTP.
func headerName() rule {
	return matching("^[A-Za-z0-9!#$%&'*+.^_|~-]+$", "must be the name of a header")
}

// campaignRule is what tells the campaign of a card.
func campaignRule() rule {
	check := func(s string) error {
		_, err := campaign.Parse(s)
		return err
	}
	return rule{check, node{}}
}

// TemplateFields are the names that a copy template may hold in braces.
func TemplateFields() []string {
	var names []string
	for _, f := range copytext.Fields() {
		names = append(names, string(f))
	}
	return names
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
