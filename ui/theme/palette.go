package theme

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// files are the themes of the program, one a file.
//
//go:embed themes/*.toml
var files embed.FS

// palette is the few colours that a theme is made of, as its file has them. Every
// colour that text is drawn in has a contrast of at least 4.5 to the backgrounds it
// may stand on; a test holds this.
type palette struct {
	About      string `toml:"about"`
	Dark       bool   `toml:"dark"`
	Background hue    `toml:"background"`

	Text   hue `toml:"text"`
	Strong hue `toml:"strong"`
	Muted  hue `toml:"muted"`
	Faint  hue `toml:"faint"`

	Accent hue `toml:"accent"`
	Good   hue `toml:"good"`
	Warn   hue `toml:"warn"`
	Bad    hue `toml:"bad"`
	Info   hue `toml:"info"`

	Gold       hue `toml:"gold"`
	Code       hue `toml:"code"`
	CodeGround hue `toml:"code_ground"`
	Border     hue `toml:"border"` // lines only, never text

	Selection   hue `toml:"selection"`
	OnSelection hue `toml:"on_selection"`
	Idle        hue `toml:"idle"` // the ground of a quiet selection or badge

	Live      hue `toml:"live"`
	OnLive    hue `toml:"on_live"`
	Test      hue `toml:"test"`
	OnTest    hue `toml:"on_test"`
	Sandbox   hue `toml:"sandbox"`
	OnSandbox hue `toml:"on_sandbox"`
	OnBadge   hue `toml:"on_badge"` // text on good, warn, bad and info
}

// paletteOf returns the palette of a name of Names. Plain is drawn without colours.
func paletteOf(name string) (palette, error) {
	if name == Plain {
		name = Dark
	}
	data, err := files.ReadFile("themes/" + name + ".toml")
	if err != nil {
		return palette{}, fmt.Errorf("find theme %q: known are %s", name, strings.Join(Names(), ", "))
	}
	p, err := readPalette(data)
	if err != nil {
		return palette{}, fmt.Errorf("read theme %s: %w", name, err)
	}
	return p, nil
}

// readPalette reads a theme's file, in which every colour has to be.
func readPalette(data []byte) (palette, error) {
	var p palette
	var names map[string]any
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := errors.Join(d.Decode(&p), toml.Unmarshal(data, &names)); err != nil {
		return palette{}, err
	}
	for f := range reflect.TypeFor[palette]().Fields() {
		if name := f.Tag.Get("toml"); names[name] == nil {
			return palette{}, fmt.Errorf("%s is missing", name)
		}
	}
	return p, nil
}

var errHue = errors.New(`want "#rrggbb", with a number from 0 to 15 where there are 16 colours, or "own"`)

// UnmarshalText reads a colour: #74c7f7 14 is that, and bright cyan on a terminal with 16
// colours; without the number it is the terminal's own there, and own is so everywhere.
func (h *hue) UnmarshalText(text []byte) error {
	exact, number, numbered := strings.Cut(string(text), " ")
	*h = hue{basic: own}
	if exact == "own" && !numbered {
		return nil
	}
	digits, ok := strings.CutPrefix(exact, "#")
	rgb, err := strconv.ParseUint(digits, 16, 24)
	if !ok || len(digits) != len("rrggbb") || err != nil {
		return fmt.Errorf("%q: %w", text, errHue)
	}
	h.rgb = uint32(rgb)
	if numbered {
		basic, err := strconv.ParseUint(number, 10, 8)
		if err != nil || basic > lastBasic {
			return fmt.Errorf("%q: %w", text, errHue)
		}
		h.basic = uint8(basic)
	}
	return nil
}

// lastBasic is the last of the 16 colours.
const lastBasic = 15
