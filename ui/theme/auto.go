package theme

import "github.com/charmbracelet/colorprofile"

// The names that follow the background of the terminal. Auto is what the empty
// name means.
const (
	Auto           = "auto"
	AutoColorBlind = "auto-colorblind"
)

// Choices returns what a theme may be called in the configuration, in the order
// that a key goes through them.
func Choices() []string {
	return append([]string{Auto, AutoColorBlind}, Names()...)
}

// For makes the theme of a name for a terminal whose background may be dark.
func For(name string, dark bool, profile colorprofile.Profile) (Theme, error) {
	switch {
	case (name == "" || name == Auto) && dark:
		name = Dark
	case name == "" || name == Auto:
		name = Light
	case name == AutoColorBlind && dark:
		name = DarkColorBlind
	case name == AutoColorBlind:
		name = LightColorBlind
	}
	return New(name, profile)
}
