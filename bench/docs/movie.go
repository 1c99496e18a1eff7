package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// scene is what happens at a moment of the moving picture, and what is said of it.
type scene struct {
	says  string
	keys  string
	shows string        // is on the screen afterwards
	rest  time.Duration // how long it is looked at
	pay   bool          // the merchant asks the cardholder
}

// checkout is a purchase: the card is armed, its number is copied, and the code comes.
func checkout() []scene {
	return []scene{
		{says: "wallet, cards, transactions and 3DS codes", shows: "fb/brand/02", rest: 2500 * time.Millisecond},
		{says: "/  find the card", keys: "/", rest: 300 * time.Millisecond},
		{keys: "j", rest: 150 * time.Millisecond},
		{keys: "p", rest: 150 * time.Millisecond},
		{keys: "/", rest: 150 * time.Millisecond},
		{keys: "0", rest: 150 * time.Millisecond},
		{keys: "4", rest: 900 * time.Millisecond},
		{keys: "\r", rest: 700 * time.Millisecond},
		{says: "a  arm it: its next code is copied", keys: "a", shows: "cart", rest: 900 * time.Millisecond},
		{says: "the amount of the cart is compared with the card", keys: "9", rest: 300 * time.Millisecond},
		{keys: "6", rest: 700 * time.Millisecond},
		{keys: "\r", rest: 1500 * time.Millisecond},
		{says: "y  copy the number, then expiry, then CVV", keys: "y", rest: 1800 * time.Millisecond},
		{keys: "y", rest: 1200 * time.Millisecond},
		{keys: "y", rest: 1500 * time.Millisecond},
		{says: "the shop asks for a code: it is there, and copied", pay: true, shows: "482 913", rest: 4 * time.Second},
		{says: "esc", keys: "\x1b", rest: 2 * time.Second},
	}
}

// The size of the moving picture, and how often the screen is looked at.
const (
	movieW, movieH = 100, 30
	sampled        = 100 * time.Millisecond
)

// frame is what the screen showed for some samples.
type frame struct {
	rows [][]vt10x.Glyph
	says string
}

// film plays the checkout on a sandbox and draws it.
func film(ctx context.Context, exe, home string) (svg []byte, err error) {
	sandbox := exec.CommandContext(ctx, exe, "sandbox", "--addr", movieAddr)
	sandbox.Env = []string{"HOME=" + home}
	if err := sandbox.Start(); err != nil {
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	defer func() {
		_ = sandbox.Process.Kill() // Its end is not waited for by anybody.
		_ = sandbox.Wait()         // It was killed.
	}()
	settings := filepath.Join(home, "cardtop", "config.toml")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		return nil, err
	}
	text := "theme = 'dark'\n[clipboard]\nosc52 = true\n[profiles.shop]\nbase_url = 'http://" + movieAddr + "/v1'\napi_key_command = 'echo sk_test_demo'\n"
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		return nil, err
	}
	s, err := open(ctx, exe, home, movieW, movieH, "--profile", "shop")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.await("live"); err != nil {
		return nil, err
	}
	var frames []frame
	says := ""
	for _, c := range checkout() {
		if c.says != "" {
			says = c.says
		}
		more, err := s.play(ctx, exe, home, c)
		if err != nil {
			return nil, err
		}
		for _, rows := range more {
			frames = append(frames, frame{rows, says})
		}
	}
	return animate(frames), nil
}

// movieAddr is where the sandbox of the moving picture listens, movieCard the card that
// pays, by its last digits.
const (
	movieAddr = "127.0.0.1:18797"
	movieCard = "7157"
)

// play plays a scene and returns what the screen showed, sample by sample.
func (s *screen) play(ctx context.Context, exe, home string, c scene) (seen [][][]vt10x.Glyph, err error) {
	if c.keys != "" {
		if _, err := io.WriteString(s.tty, c.keys); err != nil {
			return nil, err
		}
	}
	if c.pay {
		pay := exec.CommandContext(ctx, exe, "sandbox", "trigger", "challenge", "--addr", movieAddr, "--card-id", movieCard, "--merchant", "Google Ads", "--amount", "96", "--otp", "482913")
		pay.Env = []string{"HOME=" + home}
		if out, err := pay.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
	}
	tick := time.NewTicker(sampled)
	defer tick.Stop()
	for left, wait := int(c.rest/sampled), int(patience/sampled); left > 0; wait-- {
		<-tick.C
		seen = append(seen, s.cells())
		if c.shows == "" || s.shows(c.shows) {
			left--
		}
		if wait == 0 {
			return nil, fmt.Errorf("the screen lacks %q", c.shows)
		}
	}
	return seen, nil
}

// cells returns what the screen shows.
func (s *screen) cells() [][]vt10x.Glyph {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([][]vt10x.Glyph, movieH)
	for y := range rows {
		rows[y] = make([]vt10x.Glyph, movieW)
		for x := range rows[y] {
			rows[y][x] = s.vt.Cell(x, y)
		}
	}
	return rows
}

// animate draws frames as one SVG that moves without a script, and begins again at its
// end. A line that stays the same for some frames is drawn once.
func animate(frames []frame) []byte {
	p := painter{ground: "#16181d", text: "#d5dae3"}
	width, height := movieW*cellW+2*margin, (movieH+2)*cellH+2*margin
	fmt.Fprintf(&p.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.1f %d" width="%.0f" font-family="'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace" font-size="%d" xml:space="preserve">`+"\n",
		width, height, width, fontSize)
	fmt.Fprintf(&p.b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", p.ground)
	for y := range movieH {
		same := func(a, b frame) bool { return slices.Equal(a.rows[y], b.rows[y]) }
		p.spans(frames, same, func(f frame) { p.row(f.rows[y], margin+float64(y)*cellH) })
	}
	p.spans(frames, func(a, b frame) bool { return a.says == b.says }, func(f frame) {
		fmt.Fprintf(&p.b, `<text x="50%%" y="%.1f" text-anchor="middle" fill="#f0c674" font-weight="bold">%s</text>`+"\n",
			margin+(movieH+1)*cellH+baseline, escape(f.says))
	})
	p.b.WriteString("</svg>\n")
	return p.b.Bytes()
}

// spans draws each run of frames that are the same, to be seen while they are. What is
// there all the time does not move, and what comes again is drawn once.
func (p *painter) spans(frames []frame, same func(a, b frame) bool, draw func(frame)) {
	var shown []frame
	var when [][]int // of each of shown: first frame, frame after the last, and so on
	for i, f := range frames {
		n := slices.IndexFunc(shown, func(s frame) bool { return same(s, f) })
		if n < 0 {
			n = len(shown)
			shown, when = append(shown, f), append(when, nil)
		}
		if last := len(when[n]) - 1; last > 0 && when[n][last] == i {
			when[n][last]++
		} else {
			when[n] = append(when[n], i, i+1)
		}
	}
	for n, f := range shown {
		if len(shown) == 1 {
			draw(f)
			return
		}
		p.b.WriteString("<g visibility=\"hidden\">")
		p.timing(when[n], len(frames))
		draw(f)
		p.b.WriteString("</g>\n")
	}
}

// timing shows what it is in during some frames of all.
func (p *painter) timing(when []int, all int) {
	values, times := []string{"hidden"}, []string{"0"}
	for i, at := range when {
		value := "visible"
		if i%2 == 1 {
			value = "hidden"
		}
		if at == 0 {
			values[0] = value
			continue
		}
		if at < all {
			values, times = append(values, value), append(times, fmt.Sprintf("%.4f", float64(at)/float64(all)))
		}
	}
	fmt.Fprintf(&p.b, `<animate attributeName="visibility" calcMode="discrete" dur="%.1fs" repeatCount="indefinite" values="%s" keyTimes="%s"/>`+"\n",
		float64(all)*sampled.Seconds(), strings.Join(values, ";"), strings.Join(times, ";"))
}

// runes reads text and holds back a rune that is cut in two, which the emulator would
// drop.
type runes struct {
	from io.Reader
	buf  [1 << 14]byte
	kept int
}

func newRunes(from io.Reader) *runes { return &runes{from: from} }

func (r *runes) next() ([]byte, error) {
	n, err := r.from.Read(r.buf[r.kept:])
	n += r.kept
	whole := n
	for i := n - 1; i >= max(0, n-utf8.UTFMax); i-- {
		if utf8.RuneStart(r.buf[i]) {
			if !utf8.FullRune(r.buf[i:n]) {
				whole = i
			}
			break
		}
	}
	text := append([]byte(nil), r.buf[:whole]...)
	r.kept = copy(r.buf[:], r.buf[whole:n])
	return text, err
}
