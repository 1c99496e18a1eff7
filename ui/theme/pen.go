package theme

import (
	"image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// SGR attributes.
const (
	bold      = "1"
	faint     = "2"
	underline = "4"
	reverse   = "7"
	// caret is where text is typed: the terminal puts its own cursor there. Blinking alone would be lost where none is.
	caret = "5;7"
)

// own stands for the terminal's own colour.
const own = 255

// hue is a colour: exact, and the one of the 16 that stands for it. The 16
// are chosen by hand, because their look is the user's and the nearest one by
// distance is often unreadable.
type hue struct {
	rgb   uint32
	basic uint8
}

func (h hue) isOwn() bool { return h == hue{basic: own} }

func (h hue) exact() color.RGBA {
	return color.RGBA{R: uint8(h.rgb >> 16), G: uint8(h.rgb >> 8), B: uint8(h.rgb), A: 0xff}
}

// pen draws styles for one colour profile.
type pen struct{ profile colorprofile.Profile }

// draw returns a style: colours with attributes, or the plain attributes
// where the profile has no colours. Where one of the 16 colours is the
// terminal's own, the plain attributes tell the style apart as well.
func (n pen) draw(fg, bg hue, attr, plain string) Style {
	var codes []string
	switch {
	case n.profile <= colorprofile.NoTTY:
		return ""
	case n.profile == colorprofile.ASCII:
		codes = []string{plain}
	case n.profile == colorprofile.ANSI:
		if fg.basic == own && bg.basic == own {
			attr = plain
		}
		codes = []string{attr, basicCode(fg, 30, 90), basicCode(bg, 40, 100)}
	default:
		codes = []string{attr, n.code(fg, "38"), n.code(bg, "48")}
	}
	sgr := "\x1b[0"
	for _, c := range codes {
		if c != "" {
			sgr += ";" + c
		}
	}
	if sgr == "\x1b[0" {
		return ""
	}
	return sgr + "m"
}

// basicCode returns the parameter of one of the 16 colours.
func basicCode(h hue, normal, bright int) string {
	switch {
	case h.basic == own:
		return ""
	case h.basic < 8:
		return strconv.Itoa(normal + int(h.basic))
	default:
		return strconv.Itoa(bright + int(h.basic) - 8)
	}
}

// code returns the parameters of a colour of the 256, or of an exact one.
func (n pen) code(h hue, ground string) string {
	if h.isOwn() {
		return ""
	}
	if n.profile == colorprofile.ANSI256 {
		return ground + ";5;" + strconv.Itoa(int(h.indexed()))
	}
	c := h.exact()
	return strings.Join([]string{
		ground, "2", strconv.Itoa(int(c.R)), strconv.Itoa(int(c.G)), strconv.Itoa(int(c.B)),
	}, ";")
}

// indexed finds the colour among the 256. A grey with a cast of colour takes
// the grey ramp: the nearest of the colour cube's few steps would be a colour.
func (h hue) indexed() ansi.IndexedColor {
	const cast, rampStart, rampStep, ramp, rampLast = 36, 8, 10, 232, 23
	c := h.exact()
	low, high := int(min(c.R, c.G, c.B)), int(max(c.R, c.G, c.B))
	if high-low >= cast {
		return ansi.Convert256(c)
	}
	mean := (int(c.R) + int(c.G) + int(c.B)) / 3
	return ansi.IndexedColor(ramp + min(max((mean-rampStart+rampStep/2)/rampStep, 0), rampLast))
}

// color returns a colour in the profile, nil for the terminal's own.
func (n pen) color(h hue) color.Color {
	switch {
	case h.isOwn() || n.profile <= colorprofile.ASCII:
		return nil
	case n.profile == colorprofile.ANSI:
		if h.basic == own {
			return nil
		}
		return ansi.BasicColor(h.basic)
	case n.profile == colorprofile.ANSI256:
		return h.indexed()
	default:
		return h.exact()
	}
}
