//go:build !long || race

package e2e

// sizes are the screens that every view is drawn at: the widest. The long tests draw
// all.
var sizes = [][2]int{{160, 45}}
