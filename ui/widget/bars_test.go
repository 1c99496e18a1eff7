package widget

import (
	"slices"
	"strings"
	"testing"
)

func TestBars(t *testing.T) {
	for _, c := range []struct {
		values []BarValue
		w, h   int
		want   []string
	}{
		{[]BarValue{{Value: 8}, {Value: 4}, {Value: 1}, {}}, 4, 1, []string{"█▄▁ "}},
		{[]BarValue{{Value: 16}, {Value: 12}, {Value: 0.01}, {Value: -3}}, 8, 2, []string{"██▄▄    ", "████▁▁  "}},
		{[]BarValue{{Value: 10}, {Value: 10, Partial: true}, {Partial: true}}, 10, 1, []string{"██ ▒▒ ··  "}},
		{[]BarValue{{Value: 8}, {Value: 6, Partial: true}, {Value: 5, Partial: true}}, 3, 2, []string{"█▒ ", "█▒▒"}},
		{[]BarValue{{Value: 1}, {Value: 2}, {Value: 3}, {Value: 4}}, 2, 1, []string{"▆█"}}, // The latest.
		{[]BarValue{{}, {}}, 2, 1, []string{"  "}},
		{nil, 3, 1, []string{"   "}},
		{[]BarValue{{Value: 1}}, 20, 1, []string{strings.Repeat("█", 11) + strings.Repeat(" ", 9)}},
		{[]BarValue{{Value: 1}}, 0, 1, nil},
		{[]BarValue{{Value: 1}}, 1, 0, nil},
	} {
		got := Bars(c.values, c.w, c.h, ChartStyles{})
		if !slices.Equal(got, c.want) {
			t.Errorf("Bars(%v, %d, %d) = %q, want %q", c.values, c.w, c.h, got, c.want)
		}
	}
}

func TestBarLabels(t *testing.T) {
	for _, c := range []struct {
		labels []string
		w      int
		want   string
	}{
		{[]string{"01", "02", "03"}, 9, "01 02 03 "},
		{[]string{"01", "02", "03", "04"}, 4, "  04"},
		{[]string{"01", "02", "03", "04", "05"}, 10, "01  03  05"},
		{[]string{"Mar 1", "Mar 2", "Mar 3", "Mar 4"}, 13, "Mar 1   Mar 4"},
		{nil, 2, "  "},
	} {
		if got := BarLabels(c.labels, c.w, ""); got != c.want {
			t.Errorf("BarLabels(%q, %d) = %q, want %q", c.labels, c.w, got, c.want)
		}
	}
}
