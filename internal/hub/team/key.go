package team

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
)

const fingerprintPrefix = "SHA256:"

// mostKeys bounds the SSH keys of one person.
const mostKeys = 8

// isFingerprint reports whether a text is a fingerprint as OpenSSH prints them.
func isFingerprint(text string) bool {
	digest, ok := strings.CutPrefix(text, fingerprintPrefix)
	raw, err := base64.RawStdEncoding.DecodeString(digest)
	return ok && err == nil && len(raw) == len(Hash{})
}

// AddKey lets a person in with an SSH key, by its fingerprint.
func (f File) AddKey(name, fingerprint string) error {
	return f.change(func(t *Team) error {
		p, there := t.Named(name)
		switch {
		case !there:
			return fmt.Errorf("%s is not in the team", api.Clean(name))
		case slices.Contains(p.Keys, fingerprint):
			return fmt.Errorf("%s has this key already", name)
		case len(p.Keys) >= mostKeys:
			return fmt.Errorf("%s has %d keys: remove one first", name, len(p.Keys))
		}
		p.Keys = append(p.Keys, fingerprint)
		return nil
	})
}

// RemoveKey takes an SSH key from the person who has it, by its fingerprint.
func (f File) RemoveKey(fingerprint string) error {
	return f.change(func(t *Team) error {
		p, there := t.WithKey(fingerprint)
		if !there {
			return errors.New("nobody has this key")
		}
		p.Keys = slices.DeleteFunc(p.Keys, func(k string) bool { return k == fingerprint })
		return nil
	})
}
