//go:build !race

package e2e

const raced = false

// sizes are the screens that every view is drawn at.
var sizes = [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}}
