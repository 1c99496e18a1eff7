package config

import (
	"log/slog"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

// Settings is everything the configuration file can hold. Amounts are USD,
// durations are whole seconds or minutes in the file, and a zero cap is no cap.
// A value is never changed after it was read; a reload returns a new one.
type Settings struct {
	// Reloadable are the settings that may change while the program runs. Its
	// Guard is that of all modes: For adds LiveGuard.
	settings.Reloadable
	// LiveGuard holds on LIVE: what is set replaces the rule of that name, patterns
	// of labels are added.
	LiveGuard      guard.Guard
	DefaultProfile string // Profile to use when none is asked for; may be empty.
	Profiles       map[string]Profile
	LogLevel       slog.Level
	OSC52          bool                                         // Whether the terminal may be asked to copy.
	Columns        map[settings.ListName][]settings.ShownColumn // Those that lists show; none are the list's own.
	Keys           []KeyBinding                                 // In the order of the file.
	CommandKeys    []CommandKeys                                // A row for each of Commands.
}

// Profile is one account: where its API is and how its key is found.
type Profile struct {
	Name          string
	BaseURL       string // Ends in /v1; https, or http for loopback.
	APIKey        api.APIKey
	APIKeyCommand string // A shell line whose output is the key.
	ReadOnly      bool   // Every write is refused.
	NoReveal      bool   // No card's number, CVV or address is asked for.
	Fingerprint   string // sha256: and the SHA-256 of the one certificate that is accepted.
	Push          Push
	CAFile        string // PEM file of an extra certificate authority; a relative path starts at the configuration's directory.
}

// Push is where webhooks of a profile are delivered to.
type Push struct {
	Listen string // Host and port that are listened at; empty for nothing.
	URL    string // What leads there from outside: https, or http on loopback.
	Header string // Of the signature; empty for whichever has it.
}

// KeyBinding is one line of the keys table, as it is in the file. Whether the
// action and the keys exist is for the keymap to say, with the position.
type KeyBinding struct {
	Action string
	Keys   []string // Empty: the action has no key.
	Line   int      // From 1.
	Column int      // From 1, in bytes.
}

// CommandKeys is what the key table holds of a user command.
type CommandKeys struct {
	Keys   []string
	Help   string // What it does, in a line.
	Line   int    // Of its keys in the file, from 1; 0 without any.
	Column int    // From 1, in bytes.
}

// Defaults returns the settings of an empty file.
func Defaults() Settings {
	return Settings{Reloadable: settings.Defaults(), LogLevel: slog.LevelInfo}
}
