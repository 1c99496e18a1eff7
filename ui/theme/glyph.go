package theme

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
