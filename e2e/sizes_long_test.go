//go:build long && !race

package e2e

// sizes are the screens that every view is drawn at.
var sizes = [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}}
