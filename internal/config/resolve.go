// Package config answers how the program runs: which paths, which profile,
// which settings, which key. It joins the configuration file, the environment
// and the flags, and finds the API key without ever showing it.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// Flags is what the command line sets.
type Flags struct {
	Profile string
	// NoProfile asks for the account of the environment or of BaseURL,
	// whatever profiles there are.
	NoProfile bool
	Config    string
	BaseURL   string
	Sandbox   bool
	ReadOnly  bool
	NoReveal  bool
	DryRun    bool
	Privacy   bool
	NoCache   bool
}

// Names of runs without a profile of the file.
const (
	sandboxProfile = "sandbox"
	// DefaultProfile is the name of an account without a profile.
	DefaultProfile = "default"
)

// Resolved is how the program runs. Its key is found by KeyStore.LoadKey.
type Resolved struct {
	Profile  string // Name of the profile; "sandbox" or "default" when there is none.
	BaseURL  string // Empty on the embedded sandbox.
	Origin   Origin // The zero value on the embedded sandbox.
	Sandbox  bool   // Run on the embedded sandbox.
	ReadOnly bool
	NoReveal bool
	DryRun   bool
	Privacy  bool
	NoCache  bool
	NoColor  bool
	NoMotion bool   // The environment asks for reduced motion.
	Language string // What the environment asks for.
	Push     Push   // Of the profile, at its own address only.
	CAFile   string // Absolute path, or empty.
	// Fingerprint is of the one certificate that is accepted, or empty.
	Fingerprint string
	Settings    Settings

	keys *keySources // A pointer, so that no formatting looks into it.
}

// keySources is where the key of a run may come from, besides the keyring.
type keySources struct {
	found   api.APIKey // The key that this process found for the account before.
	env     api.APIKey // Zero when it belongs to another address.
	command string
	inline  api.APIKey
	// named reports whether the command line named the profile, whose own key then counts more than the
	// environment's.
	named bool
	// bound is the origin that the profile's own key belongs to, when that is
	// not where this run goes. The key is then not among the sources.
	bound string
}

// Resolve joins settings, environment and flags: a flag wins over the
// environment, which wins over the file. Where two of the same rank name two accounts it refuses. Without a
// profile, a base URL and a key it chooses the embedded sandbox. Each error is one line with what
// to set, and means wrong usage.
func Resolve(s Settings, env Env, f Flags) (Resolved, error) {
	r := Resolved{
		ReadOnly: f.ReadOnly, NoReveal: f.NoReveal, DryRun: f.DryRun, Privacy: f.Privacy, NoCache: f.NoCache,
		NoColor: env.NoColor, NoMotion: env.NoMotion, Language: env.Language, Settings: s,
	}
	if f.Sandbox {
		if f.Profile != "" || f.BaseURL != "" {
			return Resolved{}, errors.New("--sandbox brings its own account: leave --profile and --base-url out")
		}
		return r.onSandbox(), nil
	}
	name, err := chooseProfile(s, env, f)
	if err != nil {
		return Resolved{}, err
	}
	profile := s.Profiles[name]
	var source string
	if r.BaseURL, source, err = chooseBaseURL(profile, env, f); err != nil {
		return Resolved{}, err
	}
	r.BaseURL = trimBaseURL(r.BaseURL)
	if r.BaseURL == "" {
		if name == "" && env.APIKey.IsZero() {
			return r.onSandbox(), nil
		}
		return Resolved{}, missingBaseURL(name)
	}
	if r.Origin, err = ParseOrigin(r.BaseURL); err != nil {
		return Resolved{}, fmt.Errorf("read %s: %w", source, err)
	}
	if env.Proxy != nil && r.Origin.Scheme == "https" {
		return Resolved{}, env.Proxy
	}
	r.keys = sourcesFor(r.Origin, profile, env, f)
	if outranked := f.Profile == "" && (f.BaseURL != "" || env.Profile == ""); outranked && source != fromProfile && !isAt(profile, r.Origin) {
		name, profile = "", Profile{} // What ranks above the choice of the profile named another address.
	}
	r.Profile = cmp.Or(name, DefaultProfile)
	r.ReadOnly, r.NoReveal = r.ReadOnly || profile.ReadOnly, r.NoReveal || profile.NoReveal
	r.CAFile, r.Fingerprint = profile.CAFile, profile.Fingerprint
	if isAt(profile, r.Origin) {
		r.Push = profile.Push
	}
	return r, nil
}

// isAt reports whether a profile has an address of its own at an origin.
func isAt(p Profile, o Origin) bool {
	own, err := ParseOrigin(p.BaseURL)
	return err == nil && own == o
}

func (r Resolved) onSandbox() Resolved {
	r.Profile, r.Sandbox = sandboxProfile, true
	return r
}

// chooseProfile returns the name of the profile, or "" for none. A name that
// is not in the file is a slip, and would lose the profile's safeguards.
func chooseProfile(s Settings, env Env, f Flags) (string, error) {
	known := slices.Sorted(maps.Keys(s.Profiles))
	name := cmp.Or(f.Profile, env.Profile, s.DefaultProfile)
	switch {
	case f.NoProfile:
		return "", nil
	case name == "" && len(known) == 1:
		return known[0], nil
	case name == "" && len(known) > 1:
		return "", &UndecidedError{Profiles: known}
	case name == "" || slices.Contains(known, name) || len(known) == 0 && name == DefaultProfile:
		return name, nil
	case len(known) == 0:
		return "", fmt.Errorf("profile %q is not in the configuration, which has none: add [profiles.NAME] to it, or leave the name out", name)
	}
	return "", fmt.Errorf("profile %q is not in the configuration%s; known: %s", name, meant(nearest(name, known)), strings.Join(known, ", "))
}

// UndecidedError is that there are several profiles and none was chosen.
type UndecidedError struct{ Profiles []string }

// Error names the profiles and how one is chosen.
func (e *UndecidedError) Error() string {
	return fmt.Sprintf(`choose a profile (%s): --profile NAME, or profile = "NAME" in the configuration`, strings.Join(e.Profiles, ", "))
}

func missingBaseURL(name string) error {
	if name == "" {
		return fmt.Errorf("%s is set without a base URL: set %s or --base-url to the address of the API, which ends in /v1", EnvAPIKey, EnvBaseURL)
	}
	return fmt.Errorf("profile %q has no base URL: set base_url under [profiles.%s], or %s", name, name, EnvBaseURL)
}

// fromProfile is what an error calls the address of a profile.
const fromProfile = "base_url"

// chooseBaseURL returns the address of a run and what named it. A profile that was named and has an address
// has no other one.
func chooseBaseURL(p Profile, env Env, f Flags) (address, source string, err error) {
	byEnvironment := f.Profile == "" && env.Profile != ""
	disagrees := func(other, source string) error {
		if p.BaseURL == "" || other == "" || sameOrigin(p.BaseURL, other) {
			return nil
		}
		return fmt.Errorf("profile %q is at %s and %s is %s: leave one of them out", p.Name, p.BaseURL, source, other)
	}
	switch {
	case f.BaseURL != "":
		if f.Profile != "" {
			err = disagrees(f.BaseURL, "--base-url")
		}
		return f.BaseURL, "--base-url", err
	case f.Profile != "" && p.BaseURL != "":
		return p.BaseURL, fromProfile, nil
	case env.BaseURL != "":
		if byEnvironment {
			err = disagrees(env.BaseURL, EnvBaseURL)
		}
		return env.BaseURL, EnvBaseURL, err
	default:
		return p.BaseURL, fromProfile, nil
	}
}

// sameOrigin reports whether two addresses are of one origin; what cannot be read is the same as nothing,
// and is refused elsewhere.
func sameOrigin(a, b string) bool {
	x, err := ParseOrigin(a)
	y, other := ParseOrigin(b)
	return err != nil || other != nil || x == y
}

// sourcesFor leaves out the keys that are not for where the run goes: the profile's own belongs to its
// address, the environment's to the address in the environment, if there is one.
func sourcesFor(origin Origin, p Profile, env Env, f Flags) *keySources {
	keys := &keySources{found: env.Found, named: f.Profile != ""}
	if at, err := ParseOrigin(env.BaseURL); env.BaseURL == "" || err == nil && at == origin {
		keys.env = env.APIKey
	}
	own, err := ParseOrigin(p.BaseURL)
	switch {
	case p.APIKey.IsZero() && p.APIKeyCommand == "":
	case err == nil && own == origin:
		keys.command, keys.inline = p.APIKeyCommand, p.APIKey
	case err == nil:
		keys.bound = own.String()
	}
	return keys
}

// Mode is which world the money is in.
type Mode string

// The modes. A key with neither prefix of the contract counts as LIVE, so
// that every safeguard holds.
const (
	ModeSandbox Mode = "SANDBOX" // The embedded sandbox.
	ModeTest    Mode = "TEST"    // A test key on a server.
	ModeLive    Mode = "LIVE"
)

// Mode is the mode of this run with a key; on the sandbox the key does not
// matter.
func (r Resolved) Mode(key api.APIKey) Mode {
	switch {
	case r.Sandbox:
		return ModeSandbox
	case key.Mode() == api.ModeTest:
		return ModeTest
	default:
		return ModeLive
	}
}
