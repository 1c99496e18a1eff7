//go:build race

package e2e

// raced tells that the race detector slows SQLite down some forty times, so
// that what is proved by sheer number is pressed less often.
const raced = true

// sizes are the screens that every view is drawn at: one finds a race as well
// as four.
var sizes = [][2]int{{100, 30}}
