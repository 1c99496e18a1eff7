// Package theme turns a few colours into the styles of the screen. A Theme is
// a plain struct of ready SGR sequences, made once for a colour profile, so
// that drawing never converts a colour and looks the same in every test.
package theme

import (
	"image/color"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/internal/lang"
)

// Style is one whole SGR sequence that begins with a reset, such as
// "\x1b[0;1;38;5;75m"; the empty Style is the terminal's own. It is an alias,
// so that widgets take it without knowing this package.
type Style = string

// The names of some themes. Dark is the default; the colour-blind ones tell
// good from bad by blue and orange; Plain has no colour at all.
const (
	Dark            = "dark"
	Light           = "light"
	DarkColorBlind  = "dark-colorblind"
	LightColorBlind = "light-colorblind"
	Plain           = "plain"
)

// Names returns the names that New takes: Plain, and those of the files under themes.
func Names() []string {
	return []string{
		Dark, Light, DarkColorBlind, LightColorBlind,
		"catppuccin", "dracula", "gruvbox", "nord", "solarized-light", Plain,
	}
}

// Theme is every style of the screen. No style has a background of its own
// except selections and badges: the rest stands on the terminal's.
type Theme struct {
	Name string
	Dark bool
	// Mono says that there are no colours, only attributes.
	Mono bool
	// Still says that nothing is to move but what is counted, as text.
	Still bool
	// Words are the texts of the screen in the language of its user.
	Words *lang.Words
	// Glyphs are the marks that go with the colours.
	Glyphs Glyphs
	// Colors are for chrome that is not drawn from styles.
	Colors Colors

	Text, Strong, Muted, Faint        Style
	Accent, Good, Warn, Bad, Info     Style
	Gold                              Style // amounts that matter
	Code                              Style // the digits of a one-time code
	Border, BorderFocused, Thumb      Style
	Title, TitleFocused               Style
	Header, HeaderSorted              Style
	Selection, SelectionIdle          Style // the row under the cursor, with focus and without
	Mark                              Style // the mark of a chosen row
	Match                             Style // the part of a text that a filter found
	Key, KeyText                      Style // a key and what it does
	Live, Test, Sandbox               Style // badges of the mode
	BadgeGood, BadgeWarn, BadgeBad    Style // badges of a state
	BadgeInfo, BadgeMuted             Style
	Input, Placeholder, Cursor, Error Style
	Spark, Bar, BarRest               Style
	Backdrop                          Style // what lies behind a dialog
}

// Colors are the main colours in the profile of the theme; nil is the
// terminal's own. Background is what the palette was made for: a program
// that sets the terminal's background uses it, otherwise any background of
// the same darkness will do.
type Colors struct {
	Text, Muted, Accent, Good, Warn, Bad, Border, Background color.Color
}

// New returns a theme for a colour profile. Below 16 colours any theme has
// the attributes of Plain only, and without a terminal it has no styles.
func New(name string, profile colorprofile.Profile) (Theme, error) {
	p, err := paletteOf(name)
	if err != nil {
		return Theme{}, err
	}
	if name == Plain {
		profile = min(profile, colorprofile.ASCII)
	}
	t := build(p, pen{profile})
	t.Name, t.Mono = name, profile <= colorprofile.ASCII
	return t, nil
}

// build draws every style from a palette. The last argument of draw is what
// distinguishes the style where there are no colours.
func build(p palette, n pen) Theme {
	none := hue{basic: own}
	t := Theme{Dark: p.Dark, Glyphs: UnicodeGlyphs(), Colors: colors(p, n)}

	t.Text = n.draw(p.Text, none, "", "")
	t.Strong = n.draw(p.Strong, none, bold, bold)
	t.Muted = n.draw(p.Muted, none, "", "")
	t.Faint = n.draw(p.Faint, none, "", faint)
	t.Accent = n.draw(p.Accent, none, "", bold)
	t.Good = n.draw(p.Good, none, "", "")
	t.Warn = n.draw(p.Warn, none, "", bold)
	t.Bad = n.draw(p.Bad, none, "", bold)
	t.Info = n.draw(p.Info, none, "", "")
	t.Gold = n.draw(p.Gold, none, "", bold)
	t.Code = n.draw(p.Code, p.CodeGround, bold, bold)

	t.Border = n.draw(p.Border, none, "", faint)
	t.BorderFocused = n.draw(p.Accent, none, "", bold)
	t.Thumb = n.draw(p.Accent, none, "", bold)
	t.Title = n.draw(p.Muted, none, bold, "")
	t.TitleFocused = n.draw(p.Strong, none, bold, bold)
	t.Header = n.draw(p.Faint, none, "", faint)
	t.HeaderSorted = n.draw(p.Accent, none, bold, bold)

	t.Selection = n.draw(p.OnSelection, p.Selection, bold, bold+";"+reverse)
	t.SelectionIdle = n.draw(p.Text, p.Idle, "", underline)
	t.Mark = n.draw(p.Accent, none, bold, bold)
	t.Match = n.draw(p.Accent, none, bold+";"+underline, bold+";"+underline)
	t.Key = n.draw(p.Accent, none, bold, bold)
	t.KeyText = n.draw(p.Muted, none, "", "")

	t.Live = n.draw(p.OnLive, p.Live, bold, bold+";"+reverse)
	t.Test = n.draw(p.OnTest, p.Test, bold, reverse)
	t.Sandbox = n.draw(p.OnSandbox, p.Sandbox, bold, reverse)
	t.BadgeGood = n.draw(p.OnBadge, p.Good, bold, reverse)
	t.BadgeWarn = n.draw(p.OnBadge, p.Warn, bold, bold+";"+reverse)
	t.BadgeBad = n.draw(p.OnBadge, p.Bad, bold, bold+";"+reverse)
	t.BadgeInfo = n.draw(p.OnBadge, p.Info, bold, reverse)
	t.BadgeMuted = n.draw(p.Text, p.Idle, "", reverse)

	t.Input = n.draw(p.Strong, none, "", "")
	t.Placeholder = n.draw(p.Faint, none, "", faint)
	t.Cursor = n.draw(none, none, caret, caret)
	t.Error = n.draw(p.Bad, none, "", bold)
	t.Spark = n.draw(p.Accent, none, "", "")
	t.Bar = n.draw(p.Accent, none, "", "")
	t.BarRest = n.draw(p.Border, none, "", faint)
	t.Backdrop = n.draw(p.Border, none, "", faint)
	return t
}

func colors(p palette, n pen) Colors {
	return Colors{
		Text: n.color(p.Text), Muted: n.color(p.Muted), Accent: n.color(p.Accent),
		Good: n.color(p.Good), Warn: n.color(p.Warn), Bad: n.color(p.Bad),
		Border: n.color(p.Border), Background: n.color(p.Background),
	}
}

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

// Glyphs are the marks that say in one cell what a colour says as well, so
// that no state is told by colour alone.
type Glyphs struct {
	Active, Frozen, Closed  string
	Alert, Check, Cross     string
	Pending, Unknown, Clock string
	Lock, Armed, Link       string
	In, Out, Up, Down       string
	Bullet, Dot, Mask       string
	Ellipsis, Arrow, Live   string
	Stale, Cached, Push     string
}

// UnicodeGlyphs returns glyphs that are one cell wide in every terminal and
// in most fonts.
func UnicodeGlyphs() Glyphs {
	return Glyphs{
		Active: "●", Frozen: "❄", Closed: "○",
		Alert: "!", Check: "✓", Cross: "✗",
		Pending: "◌", Unknown: "?", Clock: "◷",
		Lock: "■", Armed: "◎", Link: "↗",
		In: "+", Out: "-", Up: "↑", Down: "↓",
		Bullet: "•", Dot: "·", Mask: "•",
		Ellipsis: "…", Arrow: "→", Live: "●",
		Stale: "△", Cached: "◫", Push: "⇣",
	}
}
