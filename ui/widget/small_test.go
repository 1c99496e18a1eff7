package widget

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	"rsc.io/qr"
)

func TestCountdown(t *testing.T) {
	for d, want := range map[time.Duration]string{
		300 * time.Second: "5:00", 299999 * time.Millisecond: "4:59", 61 * time.Second: "1:01",
		9900 * time.Millisecond: "0:09", 999 * time.Millisecond: "0:00", 0: "0:00", -time.Hour: "0:00",
		75 * time.Minute: "75:00",
	} {
		if got := Countdown(d); got != want {
			t.Errorf("Countdown(%v) = %s, want %s", d, got, want)
		}
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		f    float64
		w    int
		want string
	}{
		{0, 4, "░░░░"},
		{1, 4, "████"},
		{0.5, 4, "██░░"},
		{0.0001, 4, "▏░░░"},
		{0.9999, 4, "███▉"},
		{0.3125, 2, "▋░"},
		{math.NaN(), 2, "░░"},
		{-1, 2, "░░"},
		{9, 2, "██"},
		{0.5, 0, ""},
	} {
		if got := Bar(c.f, c.w, BarStyles{}); got != c.want {
			t.Errorf("Bar(%v, %d) = %q, want %q", c.f, c.w, got, c.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		w    int
		want string
	}{
		{nil, 3, "   "},
		{[]float64{0, 0}, 2, "▁▁"},
		{[]float64{1, 2, 4, 8}, 6, "  ▂▃▅█"},
		{[]float64{9, 1, 2, 4, 8}, 4, "▂▃▅█"},
		{[]float64{math.NaN(), -1, 1, math.Inf(1)}, 4, "▁▁██"},
		{[]float64{1}, 0, ""},
	} {
		if got := Sparkline(c.v, c.w, ""); got != c.want {
			t.Errorf("Sparkline(%v, %d) = %q, want %q", c.v, c.w, got, c.want)
		}
	}
}

func TestSmallOnesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := width().Draw(t, "w")
		values := rapid.SliceOf(rapid.Float64()).Draw(t, "values")
		exact(t, []string{Sparkline(values, w, red), Bar(rapid.Float64().Draw(t, "f"), w, BarStyles{bold, red})}, w, 2)
	})
}

func TestGroup(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"482913", 3, "482 913"},
		{"4111111111111111", 4, "4111 1111 1111 1111"},
		{"4111 1111", 4, "4111 1111"},
		{"12345", 3, "123 45"},
		{"", 3, ""},
		{"12", 0, "12"},
		{"••••2039", 4, "•••• 2039"},
	} {
		if got := Group(c.in, c.n); got != c.want {
			t.Errorf("Group(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestQR(t *testing.T) {
	const text = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	for ink, style := range map[QRInk]string{QRColors: blackOnWhite, QROnDark: "", QROnLight: ""} {
		lines, w, err := QR(text, ink)
		if err != nil {
			t.Fatal(err)
		}
		exact(t, lines, w, (w+1)/2)
		for y, line := range lines {
			if !strings.HasPrefix(line, style) {
				t.Errorf("line %d is %q", y, line)
			}
			for x, r := range []rune(Strip(line)) {
				upper, lower := r == '█' || r == '▀', r == '█' || r == '▄'
				if ink == QROnDark {
					upper, lower = !upper, !lower
				}
				if mx, my := x-quietZone, 2*y-quietZone; upper != code.Black(mx, my) || lower != code.Black(mx, my+1) {
					t.Fatalf("ink %d: squares at %d,%d are wrong", ink, mx, my)
				}
			}
		}
	}
	if _, _, err := QR(strings.Repeat("x", 9000), QRColors); err == nil {
		t.Error("a text too long for a code gave no error")
	}
}
