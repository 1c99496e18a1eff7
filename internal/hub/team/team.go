// Package team holds the people who may use a hub: what each may do, which cards each
// may see, and the hashes of their tokens.
package team

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Role is what a person may do. Each role may do what those before it may.
type Role int

// The roles.
const (
	// Viewer reads cards, balances and transactions.
	Viewer Role = iota + 1
	// Buyer also reads codes and card details, freezes, unfreezes and funds.
	Buyer
	// Lead also issues, updates, withdraws, terminates and approves.
	Lead
	// Admin also has webhooks, deposits and the account's totals.
	Admin
)

// Roles lists the roles, the least first.
func Roles() []Role { return []Role{Viewer, Buyer, Lead, Admin} }

// String returns the name of the role.
func (r Role) String() string {
	switch r {
	case Viewer:
		return "viewer"
	case Buyer:
		return "buyer"
	case Lead:
		return "lead"
	case Admin:
		return "admin"
	}
	return "nobody"
}

// ParseRole returns the role of a name.
func ParseRole(name string) (Role, error) {
	for _, r := range Roles() {
		if r.String() == name {
			return r, nil
		}
	}
	return 0, errors.New("role is not viewer, buyer, lead or admin")
}

// Hash is the SHA-256 of a token.
type Hash [sha256.Size]byte

// HashOf returns the hash of a token.
func HashOf(token []byte) Hash { return sha256.Sum256(token) }

// Person is one of a team. It is not changed after it was read.
type Person struct {
	Name string
	Role Role
	// Labels are patterns of the labels of the cards that the person may see, in which
	// * stands for any text. Without one the person sees no card.
	Labels []string
	// Cap is the most that one operation of theirs moves out of the wallet without an
	// approval, USD; 0 is as the guardrails say.
	Cap   api.USD
	Added time.Time
	Token Hash
	// Keys are the fingerprints of the person's SSH keys, as OpenSSH prints them:
	// SHA256: and base64.
	Keys []string
}

// May reports whether the person has a role or a higher one.
func (p *Person) May(role Role) bool { return p.Role >= role }

// SeesAll reports whether no card is hidden from the person.
func (p *Person) SeesAll() bool { return slices.Contains(p.Labels, "*") }

// Sees reports whether the person may see cards of a label. Upper and lower case
// differ: a scope rather shows too little.
func (p *Person) Sees(label string) bool {
	return slices.ContainsFunc(p.Labels, func(pattern string) bool { return match(pattern, label) })
}

// View names what the person sees: people with the same view see the same.
func (p *Person) View() string {
	labels := slices.Clone(p.Labels)
	slices.Sort(labels)
	return p.Role.String() + "\x00" + strings.Join(labels, "\x00")
}

// match reports whether a label fits a pattern.
func match(pattern, label string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	label, ok := strings.CutPrefix(label, first)
	if !ok || !starred {
		return ok && label == ""
	}
	for {
		part, more, another := strings.Cut(rest, "*")
		if !another {
			return strings.HasSuffix(label, part)
		}
		_, after, found := strings.Cut(label, part)
		if !found {
			return false
		}
		label, rest = after, more
	}
}

// Team are the people, in the order of their file. It is not changed after it was
// read.
type Team struct{ People []Person }

// Find returns the person with a token. It compares all hashes, each in constant time.
func (t *Team) Find(token []byte) (*Person, bool) {
	hash := HashOf(token)
	found := -1
	for i := range t.People {
		same := subtle.ConstantTimeCompare(hash[:], t.People[i].Token[:])
		found = subtle.ConstantTimeSelect(same, i, found)
	}
	if found < 0 || len(token) == 0 {
		return nil, false
	}
	return &t.People[found], true
}

// Named returns the person of a name.
func (t *Team) Named(name string) (*Person, bool) {
	i := slices.IndexFunc(t.People, func(p Person) bool { return p.Name == name })
	if i < 0 {
		return nil, false
	}
	return &t.People[i], true
}

// WithKey returns the person who has an SSH key, by its fingerprint.
func (t *Team) WithKey(fingerprint string) (*Person, bool) {
	i := slices.IndexFunc(t.People, func(p Person) bool { return slices.Contains(p.Keys, fingerprint) })
	if i < 0 || fingerprint == "" {
		return nil, false
	}
	return &t.People[i], true
}

// HoldsKey reports whether a person is in the team as they were, with an SSH key.
func (t *Team) HoldsKey(p *Person, fingerprint string) bool {
	owner, ok := t.WithKey(fingerprint)
	return ok && owner.Name == p.Name && t.Holds(p)
}

// Holds reports whether a person is in the team as they were.
func (t *Team) Holds(p *Person) bool {
	now, ok := t.Named(p.Name)
	return ok && now.Token == p.Token && now.Cap == p.Cap && now.View() == p.View()
}

// longest bounds names and labels, in bytes.
const longest = 64

// check returns what is wrong with a person.
func (p *Person) check() error {
	switch {
	case p.Name == "" || len(p.Name) > longest || strings.ContainsFunc(p.Name, func(r rune) bool { return !nameRune(r) }):
		return errors.New("a name has 1 to 64 letters, digits, dots, dashes or underscores")
	case p.Role < Viewer || p.Role > Admin:
		return fmt.Errorf("%s: role is not viewer, buyer, lead or admin", p.Name)
	case len(p.Labels) == 0:
		return fmt.Errorf("%s: labels is empty: name patterns, or * for all cards", p.Name)
	case p.Cap < 0:
		return fmt.Errorf("%s: cap is below 0", p.Name)
	case p.Token == Hash{}:
		return fmt.Errorf("%s: token is missing", p.Name)
	}
	for _, k := range p.Keys {
		if !isFingerprint(k) {
			return fmt.Errorf("%s: ssh_keys has what is no fingerprint: SHA256: and 43 characters", p.Name)
		}
	}
	for _, l := range p.Labels {
		if l == "" || len(l) > longest || string(api.Clean(l)) != l {
			return fmt.Errorf("%s: a pattern of labels has 1 to 64 characters", p.Name)
		}
	}
	return nil
}

func nameRune(r rune) bool {
	return r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// check returns what is wrong with the team.
func (t *Team) check() error {
	for i := range t.People {
		p := &t.People[i]
		if err := p.check(); err != nil {
			return err
		}
		for j := range i {
			if t.People[j].Name == p.Name || t.People[j].Token == p.Token {
				return fmt.Errorf("%s is there twice, or has the token of another", p.Name)
			}
			if k := slices.IndexFunc(p.Keys, func(key string) bool { return slices.Contains(t.People[j].Keys, key) }); k >= 0 {
				return fmt.Errorf("%s has an SSH key of %s", p.Name, t.People[j].Name)
			}
		}
	}
	return nil
}

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
