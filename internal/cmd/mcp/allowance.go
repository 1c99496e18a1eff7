package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
)

// allowance is what the user lets an assistant do, and what of it is left.
type allowance struct {
	verbs []string
	call  api.USD // At most in one call.

	mu   sync.Mutex
	left api.USD            // Of what may move while the program runs.
	held map[string]api.USD // What was taken off it, by idempotency key.
}

// allows reports whether a verb may be used; reading always may.
func (a *allowance) allows(verb string) bool { return verb == "" || slices.Contains(a.verbs, verb) }

// check refuses a verb.
func (a *allowance) check(name, verb string) error {
	if a.allows(verb) {
		return nil
	}
	return app.Usage(fmt.Errorf("%s is not allowed: the user can start cardtop mcp with --allow %s", name, strings.Join(append(slices.Clone(a.verbs), verb), ",")))
}

// charge takes off what is left what an answer says has moved beyond what was reserved.
func (a *allowance) charge(more api.USD) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left -= max(0, more)
}

// reserve takes an amount off what is left before it moves, unless a call with the key
// has done so: both move it once. It returns what gives it back if it did not move.
func (a *allowance) reserve(key string, amount api.USD) (release func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case amount <= 0:
		return nil, app.Usage(errors.New("amount 0 moves nothing: give more than 0"))
	case amount > a.call:
		return nil, fmt.Errorf("it would move $%s, and --max-amount allows $%s in a call", amount.Grouped(), a.call.Grouped())
	case a.held[key] == amount:
		return func() {}, nil
	case amount > a.left:
		return nil, fmt.Errorf("it would move $%s, and $%s is left of what --max-total allows until cardtop mcp is started anew", amount.Grouped(), a.left.Grouped())
	}
	a.left -= amount
	a.held[key] += amount
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.left += amount
		a.held[key] -= amount
	}, nil
}
