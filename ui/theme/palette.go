package theme

// palette is the few colours that a theme is made of. Every colour that
// text is drawn in has a contrast of at least 4.5 to the backgrounds it may
// stand on; a test holds this.
type palette struct {
	dark       bool
	background uint32

	text, strong, muted, faint    hue
	accent, good, warn, bad, info hue
	gold, code, codeGround        hue
	border                        hue // lines only, never text

	selection, onSelection hue
	idle                   hue // the ground of a quiet selection or badge
	live, onLive           hue
	test, onTest           hue
	sandbox, onSandbox     hue
	onBadge                hue // text on good, warn, bad and info
}

func paletteOf(name string) (palette, bool) {
	switch name {
	case Dark, Plain:
		return dark(), true
	case Light:
		return light(), true
	case DarkColorBlind:
		p := dark()
		p.good, p.warn, p.bad = hue{0x6fb7ff, 12}, hue{0xf7e68a, 11}, hue{0xff8833, 3}
		p.accent, p.info = hue{0x8fdcd6, 14}, hue{0xcfc2ff, 13}
		p.live, p.onLive = hue{0xb34a00, 3}, hue{0xffffff, 0}
		p.test, p.onTest = hue{0xf7e68a, 11}, hue{0x1a1500, 0}
		return p, true
	case LightColorBlind:
		p := light()
		p.good, p.warn, p.bad = hue{0x0b5cad, 4}, hue{0x856a00, own}, hue{0x761a00, 1}
		p.accent, p.info = hue{0x00655f, 6}, hue{0x5a3fa8, 5}
		p.live, p.onLive = hue{0xa84300, 1}, hue{0xffffff, 15}
		return p, true
	}
	return palette{}, false
}

// dark is calm: greys with a blue cast, one sky accent, and the three signal
// colours softened so that only what is wrong stands out.
func dark() palette {
	return palette{
		dark: true, background: 0x10141a,
		text: hue{0xd8dee9, own}, strong: hue{0xf6f8fb, 15}, muted: hue{0xaeb8c7, own}, faint: hue{0x939eaf, own},
		accent: hue{0x74c7f7, 14}, good: hue{0x8bd99a, 10}, warn: hue{0xf2c968, 11}, bad: hue{0xff9292, 9}, info: hue{0xaab8ff, 12},
		gold: hue{0xe8d3a2, 11}, code: hue{0xfff1a8, 11}, codeGround: hue{basic: own},
		border:    hue{0x465064, own},
		selection: hue{0x234a75, 4}, onSelection: hue{0xffffff, 15},
		idle: hue{0x29303b, own},
		live: hue{0xc42b2b, 1}, onLive: hue{0xffffff, 15},
		test: hue{0xf2c968, 3}, onTest: hue{0x1d1600, 0},
		sandbox: hue{0x2c6e73, 6}, onSandbox: hue{0xffffff, 0},
		onBadge: hue{0x10141a, 0},
	}
}

// light is the same on paper: the signal colours darkened until they read.
func light() palette {
	return palette{
		background: 0xffffff,
		text:       hue{0x1f2933, own}, strong: hue{0x0b1118, 0}, muted: hue{0x465160, own}, faint: hue{0x5d6875, own},
		accent: hue{0x0a5f9e, 4}, good: hue{0x1a6b34, 2}, warn: hue{0x874f00, own}, bad: hue{0xb42318, 1}, info: hue{0x4a4cba, 5},
		gold: hue{0x735400, own}, code: hue{0x3b2a00, 0}, codeGround: hue{0xffeeb0, 11},
		border:    hue{0xb4bdc9, own},
		selection: hue{0x1c5c9f, 4}, onSelection: hue{0xffffff, 15},
		idle: hue{0xe2e8f0, own},
		live: hue{0xb91c1c, 1}, onLive: hue{0xffffff, 15},
		test: hue{0xf6d06f, 3}, onTest: hue{0x2b1f00, 0},
		sandbox: hue{0x1f6b70, 6}, onSandbox: hue{0xffffff, 0},
		onBadge: hue{0xffffff, 15},
	}
}
