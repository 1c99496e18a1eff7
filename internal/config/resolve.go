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
	env     api.APIKey
	command string
	inline  api.APIKey
	// bound is the origin that the profile's own key belongs to, when that is
	// not where this run goes. The key is then not among the sources.
	bound string
}

// Resolve joins settings, environment and flags; a flag wins over the
// environment, which wins over the file. Without a profile, a base URL and a
// key it chooses the embedded sandbox. Each error is one line with what
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
	r.BaseURL = cmp.Or(f.BaseURL, env.BaseURL, profile.BaseURL)
	if r.BaseURL == "" {
		if name == "" && env.APIKey.IsZero() {
			return r.onSandbox(), nil
		}
		return Resolved{}, missingBaseURL(name)
	}
	if r.Origin, err = ParseOrigin(r.BaseURL); err != nil {
		return Resolved{}, fmt.Errorf("read %s: %w", baseURLSource(env, f), err)
	}
	r.Profile = cmp.Or(name, DefaultProfile)
	r.ReadOnly, r.NoReveal = r.ReadOnly || profile.ReadOnly, r.NoReveal || profile.NoReveal
	r.CAFile, r.Fingerprint = profile.CAFile, profile.Fingerprint
	if own, err := ParseOrigin(profile.BaseURL); err == nil && own == r.Origin {
		r.Push = profile.Push
	}
	r.keys = sourcesFor(r.Origin, profile, env)
	return r, nil
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

func baseURLSource(env Env, f Flags) string {
	switch {
	case f.BaseURL != "":
		return "--base-url"
	case env.BaseURL != "":
		return EnvBaseURL
	default:
		return "base_url"
	}
}

// sourcesFor leaves the profile's own key out when the run goes to another
// origin than the profile's: a key goes only where it was meant for.
func sourcesFor(origin Origin, p Profile, env Env) *keySources {
	keys := &keySources{env: env.APIKey}
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
