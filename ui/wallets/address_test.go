package wallets

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
)

const btcAddress = "tb1qqelt2avyuphssx0vmksdcrlnghvn8vaz0000aa"

// known is a store that was told addresses, and what was seen before.
func known(t *testing.T, btc api.Text, seen ...wallets.Pin) *state.Store {
	t.Helper()
	s := dialogtest.Store(t)
	_, effects, err := s.Dispatch(wallets.LoadAddresses{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range effects {
		if f, ok := e.(wallets.FetchAddresses); ok {
			s.Apply(wallets.AddressesLoaded{FetchAddresses: f, Meta: kernel.Meta{Sent: panetest.At(0), At: panetest.At(0)}, Addresses: api.DepositAddresses{
				Addresses:  map[api.Currency]api.Text{"btc": btc, "usdt": "0x9ecc9bbb1f41cb16de6f66c96278270297b6d095"},
				Networks:   map[api.Currency]api.Text{"btc": "bitcoin", "usdt": "erc-20"},
				MinDeposit: map[api.Currency]api.Crypto{"btc": "0.0001", "usdt": "10"},
			}})
		}
	}
	s.Apply(wallets.PinsLoaded{Meta: kernel.Meta{Sent: panetest.At(0), At: panetest.At(0)}, Pins: seen})
	return s
}

// picture paints what a terminal shows of half blocks: a cell is two squares.
// ground and ink are the terminal's colours.
func picture(lines []string, ground, ink color.Color) image.Image {
	const px = 6
	var rows [][2][]bool
	width := 0
	for _, l := range lines {
		var row [2][]bool
		for _, r := range l {
			row[0] = append(row[0], r == '█' || r == '▀')
			row[1] = append(row[1], r == '█' || r == '▄')
		}
		rows, width = append(rows, row), max(width, len(row[0]))
	}
	img := image.NewRGBA(image.Rect(0, 0, (width+4)*px, (2*len(rows)+4)*px))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			img.Set(x, y, ground)
		}
	}
	for cell, row := range rows {
		for half := range 2 {
			for at, on := range row[half] {
				for i := range px * px {
					if on {
						img.Set((at+2)*px+i%px, (2*cell+half+2)*px+i/px, ink)
					}
				}
			}
		}
	}
	return img
}

// decode reads a code as a scanner does.
func decode(t *testing.T, img image.Image) string {
	t.Helper()
	tool, err := exec.LookPath("zbarimg")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("zbarimg is not installed: install zbar-tools to decode what is drawn")
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "code.png")
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), tool, "--raw", "-q", path).Output()
	if err != nil {
		t.Fatalf("no code is found: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// code cuts the blocks out of the box.
func code(d dialog.Dialog, w, h int) []string {
	var out []string
	for l := range strings.SplitSeq(dialogtest.Text(d, w, h), "\n") {
		l = strings.TrimPrefix(l, "│")
		if cut := []rune(l); len(cut) > 33 {
			l = string(cut[:33])
		}
		if !strings.ContainsAny(l, "abcdefghijklmnopqrstuvwxyz╭╰") {
			out = append(out, l)
		}
	}
	return out
}

func TestAScannerReadsTheAddress(t *testing.T) {
	for _, tt := range []struct {
		name        string
		profile     colorprofile.Profile
		theme       string
		keys        string
		ground, ink color.Color
	}{
		{"colours", colorprofile.TrueColor, theme.Dark, "", color.White, color.Black},
		{"no colours, a dark ground", colorprofile.ASCII, theme.Dark, "", color.Black, color.White},
		{"no colours, a light ground", colorprofile.ASCII, theme.Light, "", color.White, color.Black},
		{"no colours, swapped by hand", colorprofile.ASCII, theme.Dark, "i", color.White, color.Black},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th, err := theme.New(tt.theme, tt.profile)
			if err != nil {
				t.Fatal(err)
			}
			d := NewAddress(&th, known(t, btcAddress), "btc")
			dialogtest.Type(d, tt.keys)
			if got := decode(t, picture(code(d, 76, 21), tt.ground, tt.ink)); got != btcAddress {
				t.Errorf("a scanner reads %q:\n%s", got, dialogtest.Text(d, 76, 21))
			}
		})
	}
}

func TestAnAmountIsCheckedAgainstTheMinimum(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		currency api.Currency
		keys     string
		says     string
	}{
		{"usdt", "9.99", "✗ below the minimum of 10 USDT: it may be lost"},
		{"usdt", "9.999999999999999999", "✗ below the minimum of 10 USDT"},
		{"usdt", "10", "✓ 10 USDT is enough: the minimum is 10 USDT"},
		{"usdt", "10.", "✓ 10 USDT is enough"},
		{"usdt", "12.5", "✓ 12.5 USDT is enough"},
		{"usdt", "0", "✗ below the minimum"},
		{"usdt", ".", "at least 10 USDT"},
		{"usdt", "1.1.1", "more than one dot"},
		{"usdt", "12,5", "comma: the decimals follow a dot"},
		{"usdt", "1.0000000000000000001", "more than 18 decimals"},
		{"btc", "0.00009999", "✗ below the minimum of 0.0001 BTC"},
		{"btc", "0.0001", "✓ 0.0001 BTC is enough"},
	} {
		d := NewAddress(panetest.Theme(t), known(t, btcAddress), tt.currency)
		for _, r := range tt.keys {
			d.Type(string(r), string(r))
		}
		if got := dialogtest.Text(d, 80, 24); !strings.Contains(got, tt.says) || !strings.Contains(got, "to send   "+tt.keys[:1]) {
			t.Errorf("%s %q is not told %q:\n%s", tt.currency, tt.keys, tt.says, got)
		}
		if r := d.Act(keymap.Confirm); r.Close {
			t.Error("enter closes before it is read")
		}
		if r := d.Act(keymap.Cancel); r.Close || strings.Contains(dialogtest.Text(d, 80, 24), "to send") {
			t.Error("esc does not take the amount away first")
		}
		if r := d.Act(keymap.Cancel); !r.Close {
			t.Error("esc does not close")
		}
	}
	d := NewAddress(panetest.Theme(t), known(t, btcAddress), "usdt")
	d.Type("5", "5")
	d.Type("y", "y") // Still copies, and is no digit.
	d.Act(keymap.Switch)
	if got := dialogtest.Text(d, 80, 24); strings.Contains(got, "to send") {
		t.Errorf("the amount of another coin stays:\n%s", got)
	}
	d.Paste(" 12.5\n")
	if got := dialogtest.Text(d, 40, 12); !strings.Contains(got, "12.5 ") {
		t.Errorf("a pasted amount is not there:\n%s", got)
	}
	d = NewAddress(panetest.Theme(t), known(t, btcAddress, wallets.Pin{Currency: "btc", Address: "another", Network: "bitcoin"}), "btc")
	d.Type("5", "5")
	if got := dialogtest.Text(d, 80, 24); strings.Contains(got, "to send") {
		t.Errorf("an amount for an address that changed:\n%s", got)
	}
}
