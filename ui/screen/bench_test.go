package screen

import (
	"fmt"
	"strings"
	"testing"
)

// picture is a screen of a list beside two panes, as wide as asked for.
func picture(w, h, from, cursor int) []string {
	lines := make([]string, h)
	half := w/2 - 4
	for y := range h {
		label := fmt.Sprintf("fb/geo-de/%02d", (from+y)%97)
		style := "\x1b[0;38;2;216;222;233m"
		if y == cursor {
			style = "\x1b[0;1;38;2;255;255;255;48;2;35;74;117m"
		}
		row := fmt.Sprintf(" %s●%s %-20s •••• %04d  %10d.%02d  active", style, style, label, (from+y)*7919%10000, (from+y)*31%9000, y%100)
		row += strings.Repeat(" ", max(0, half-len([]rune(row))+2*len(style)))
		lines[y] = "\x1b[0;38;2;70;80;100m│" + row + "\x1b[0;38;2;70;80;100m││\x1b[0m 14:02:" + fmt.Sprintf("%02d", y%60) + " \x1b[0;38;2;139;217;154m✓ settled\x1b[0m  Meta Platforms" + strings.Repeat(" ", max(0, w-half-42)) + "\x1b[0;38;2;70;80;100m│\x1b[0m"
	}
	return lines
}

func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{160, 45}, {400, 100}} {
		w, h := size[0], size[1]
		for _, tc := range []struct {
			name  string
			other []string
		}{
			{"move", picture(w, h, 0, 4)},
			{"scroll", picture(w, h, 1, 3)},
			{"page", picture(w, h, h, 3)},
			{"same", picture(w, h, 0, 3)},
		} {
			b.Run(fmt.Sprintf("%s/%dx%d", tc.name, w, h), func(b *testing.B) {
				frames := [][]string{picture(w, h, 0, 3), tc.other}
				wr := newWriter(firstCluster, false)
				wr.frame(frames[0], w, h)
				bytes := 0
				b.ReportAllocs()
				for i := 1; b.Loop(); i++ {
					bytes += len(wr.frame(frames[i%2], w, h))
				}
				b.ReportMetric(float64(bytes)/float64(b.N), "bytes/frame")
			})
		}
	}
}
