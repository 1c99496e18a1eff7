package theme

import (
	"flag"
	"image/color"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/internal/goldentest"
)

var update = flag.Bool("update", false, "write the golden files")

func profiles() []colorprofile.Profile {
	return []colorprofile.Profile{
		colorprofile.NoTTY, colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor,
	}
}

// styles returns every style of a theme by its name.
func styles(t Theme) (names, values []string) {
	v := reflect.ValueOf(t)
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Type.Kind() == reflect.String && f.Name != "Name" {
			names, values = append(names, f.Name), append(values, v.Field(i).String())
		}
	}
	return names, values
}

func TestUnknownTheme(t *testing.T) {
	if _, err := New("neon", colorprofile.TrueColor); err == nil || !strings.Contains(err.Error(), Plain) {
		t.Errorf("error is %v, want the known names", err)
	}
}

func TestGoldens(t *testing.T) {
	var b strings.Builder
	for _, name := range Names() {
		for _, p := range profiles() {
			th, err := New(name, p)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(name + " " + p.String() + "\n")
			names, values := styles(th)
			for i := range names {
				b.WriteString("  " + names[i] + " " + strings.ReplaceAll(values[i], "\x1b", "^[") + "\n")
			}
		}
	}
	const path = "testdata/themes.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := goldentest.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), b.String()); diff != "" {
		t.Errorf("the styles differ from the golden file (run make golden after looking at it):\n%s", diff)
	}
}

func TestEveryStyleIsOneSequence(t *testing.T) {
	whole := regexp.MustCompile(`^(\x1b\[0(;[0-9]+)+m)?$`)
	colour := regexp.MustCompile(`[;](3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]`)
	for _, name := range Names() {
		for _, p := range profiles() {
			th, err := New(name, p)
			if err != nil {
				t.Fatal(err)
			}
			names, values := styles(th)
			for i, v := range values {
				if !whole.MatchString(v) {
					t.Errorf("%s %v %s is %q", name, p, names[i], v)
				}
				if (name == Plain || p <= colorprofile.ASCII) && colour.MatchString(v) {
					t.Errorf("%s %v %s has a colour: %q", name, p, names[i], v)
				}
				if p == colorprofile.NoTTY && v != "" {
					t.Errorf("%s %s is %q without a terminal", name, names[i], v)
				}
			}
			if (name == Plain || p <= colorprofile.ASCII) && th.Colors != (Colors{}) {
				t.Errorf("%s %v has chrome colours", name, p)
			}
		}
	}
}

// What must be seen at a glance differs from its surroundings in any theme.
func TestStylesDiffer(t *testing.T) {
	for _, name := range Names() {
		for _, p := range profiles()[1:] {
			th, err := New(name, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, pair := range [][2]string{
				{th.Selection, th.Text},
				{th.SelectionIdle, th.Text},
				{th.Selection, th.SelectionIdle},
				{th.Border, th.BorderFocused},
				{th.Title, th.TitleFocused},
				{th.Bad, th.Good},
				{th.Bad, th.Text},
				{th.Live, th.Sandbox},
				{th.Code, th.Text},
				{th.Match, th.Text},
				{th.Cursor, th.Input},
			} {
				if pair[0] == pair[1] {
					t.Errorf("%s %v: two styles are both %q", name, p, pair[0])
				}
			}
		}
	}
}

func TestContrast(t *testing.T) {
	grounds := map[bool][]uint32{
		true:  {0x000000, 0x10141a, 0x1e1e2e, 0x282a36},
		false: {0xffffff, 0xfdf6e3, 0xfafafa},
	}
	for _, name := range Names() {
		p := paletteFor(t, name)
		texts := map[string]hue{
			"text": p.Text, "strong": p.Strong, "muted": p.Muted, "faint": p.Faint, "accent": p.Accent,
			"good": p.Good, "warn": p.Warn, "bad": p.Bad, "info": p.Info, "gold": p.Gold,
		}
		if p.CodeGround.isOwn() {
			texts["code"] = p.Code
		}
		for what, h := range texts {
			for _, g := range append(grounds[p.Dark], p.Background.rgb) {
				atLeast(t, name+" "+what, h.exact(), hue{rgb: g}.exact())
			}
			atLeast(t, name+" "+what+" of 256", ansi.Convert256(h.exact()), p.Background.exact())
		}
		pairs := map[string][2]hue{
			"selection": {p.OnSelection, p.Selection}, "idle": {p.Text, p.Idle}, "live": {p.OnLive, p.Live},
			"test": {p.OnTest, p.Test}, "sandbox": {p.OnSandbox, p.Sandbox}, "badge good": {p.OnBadge, p.Good},
			"badge warn": {p.OnBadge, p.Warn}, "badge bad": {p.OnBadge, p.Bad}, "badge info": {p.OnBadge, p.Info},
		}
		if !p.CodeGround.isOwn() {
			pairs["code"] = [2]hue{p.Code, p.CodeGround}
		}
		for what, pair := range pairs {
			atLeast(t, name+" "+what, pair[0].exact(), pair[1].exact())
			atLeast(t, name+" "+what+" of 256", ansi.Convert256(pair[0].exact()), ansi.Convert256(pair[1].exact()))
		}
	}
}

func atLeast(t *testing.T, what string, fg, bg color.Color) {
	t.Helper()
	a, b := luminance(fg)+0.05, luminance(bg)+0.05
	if c := max(a, b) / min(a, b); c < 4.5 {
		t.Errorf("%s on %v: contrast %.2f, want 4.5", what, bg, c)
	}
}

func linear(c color.Color) [3]float64 {
	r, g, b, _ := c.RGBA()
	var out [3]float64
	for i, v := range []uint32{r, g, b} {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			out[i] = s / 12.92
		} else {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

func luminance(c color.Color) float64 {
	l := linear(c)
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

// Good, warn and bad stay apart for the three kinds of colour blindness,
// simulated by the matrices of Machado and others (2009).
func TestColorBlindThemesStayApart(t *testing.T) {
	kinds := map[string][3][3]float64{
		"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	for _, name := range []string{DarkColorBlind, LightColorBlind} {
		p := paletteFor(t, name)
		for kind, m := range kinds {
			good, warn, bad := seen(p.Good, m), seen(p.Warn, m), seen(p.Bad, m)
			for what, d := range map[string]float64{"good-warn": apart(good, warn), "good-bad": apart(good, bad), "warn-bad": apart(warn, bad)} {
				if d < 20 {
					t.Errorf("%s %s %s: distance %.1f, want 20", name, kind, what, d)
				}
			}
		}
	}
}

// seen returns a colour as CIE L*a*b* after a colour-blindness matrix.
func seen(h hue, m [3][3]float64) [3]float64 {
	l := linear(h.exact())
	var rgb [3]float64
	for i := range rgb {
		rgb[i] = min(max(m[i][0]*l[0]+m[i][1]*l[1]+m[i][2]*l[2], 0), 1)
	}
	x := (0.4124*rgb[0] + 0.3576*rgb[1] + 0.1805*rgb[2]) / 0.95047
	y := 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
	z := (0.0193*rgb[0] + 0.1192*rgb[1] + 0.9505*rgb[2]) / 1.08883
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

func apart(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

func TestGlyphsAreOneCell(t *testing.T) {
	v := reflect.ValueOf(UnicodeGlyphs())
	for i := range v.NumField() {
		if s := v.Field(i).String(); ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 {
			t.Errorf("%s %q is not one cell", v.Type().Field(i).Name, s)
		}
	}
}

// A state is told by its mark where there is no colour, or none that a person
// sees.
func TestStatesDifferWithoutColour(t *testing.T) {
	g := UnicodeGlyphs()
	for what, marks := range map[string][]string{
		"cards":        {g.Active, g.Frozen, g.Closed, g.Alert, g.Unknown},
		"transactions": {g.Check, g.Cross, g.Pending, g.In},
		"the link":     {g.Live, g.Pending, g.Stale, g.Clock, g.Cross},
		"alerts":       {g.Alert, g.Cross, g.Pending, g.Clock, g.Check},
	} {
		seen := make(map[string]bool)
		for _, m := range marks {
			if seen[m] {
				t.Errorf("%q stands for two states of %s", m, what)
			}
			seen[m] = true
		}
	}
}

func paletteFor(t *testing.T, name string) palette {
	t.Helper()
	p, err := paletteOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEachFileIsATheme holds that no file is left out of the list, and that each says
// what it looks like.
func TestEachFileIsATheme(t *testing.T) {
	entries, err := files.ReadDir("themes")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".toml")
		if !slices.Contains(Names(), name) {
			t.Errorf("%s is in no list", e.Name())
		}
		if p := paletteFor(t, name); p.About == "" {
			t.Errorf("%s does not say what it looks like", e.Name())
		}
	}
	if len(entries) != len(Names())-1 {
		t.Errorf("%d files for %d names, of which plain has none", len(entries), len(Names()))
	}
}

func TestAWrongFileIsRefused(t *testing.T) {
	whole, err := files.ReadFile("themes/dark.toml")
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[[2]string]string{
		{`good = "#8bd99a 10"`, ``}:                   "good is missing",
		{`good = `, `goood = `}:                       "strict mode",
		{`"#8bd99a 10"`, `"#8bd99a 16"`}:              "0 to 15",
		{`"#8bd99a 10"`, `"#8bd99 10"`}:               "#rrggbb",
		{`"#8bd99a 10"`, `"green"`}:                   "#rrggbb",
		{`"#8bd99a 10"`, `"own 10"`}:                  "#rrggbb",
		{`dark = true`, `dark = "yes"`}:               "Dark",
		{`background = "#10141a"`, `background = 17`}: "17",
	} {
		text := strings.Replace(string(whole), change[0], change[1], 1)
		if _, err := readPalette([]byte(text)); text == string(whole) || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", change[1], err, want)
		}
	}
}
