//go:build long

package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestGrowthIsTold holds that a leak is an error and that noise is none.
func TestGrowthIsTold(t *testing.T) {
	for _, c := range []struct {
		figure string
		from   float64
		step   float64 // by which it grows from a sample to the next
		grows  bool
	}{
		{memory, 40, 0, false},
		{memory, 40, 0.005, false},
		{memory, 40, 0.05, true},
		{heap, 5, 0.01, true},
		{heap, 5, -0.01, false},
		{goroutines, 30, 0.05, false}, // less than those of a connection
		{goroutines, 30, 0.1, true},
		{descriptors, 200, 0.03, false}, // less than 2 %
		{staleness, 1, 0.5, false},      // shown only
	} {
		var all []sample
		for i := range 40 {
			all = append(all, sample{
				"hub":     {c.figure: c.from + c.step*float64(i)},
				"sandbox": {requests: float64(100 * i)},
			})
		}
		var out bytes.Buffer
		err := report(&out, 2*time.Hour, all)
		if (err != nil) != c.grows {
			t.Errorf("%s of %v, %v more each time: %v", c.figure, c.from, c.step, err)
		}
		if !strings.Contains(out.String(), "requests a round") || !strings.Contains(out.String(), c.figure) {
			t.Errorf("it prints\n%s", &out)
		}
	}
	short := []sample{{"hub": {heap: 5}}, {}, {}, {"hub": {heap: 9}}}
	if err := report(&bytes.Buffer{}, time.Hour, short); err != nil {
		t.Errorf("programs that still fill: %v", err)
	}
	short[0]["hub"][goroutines], short[3]["hub"][goroutines] = 20, 30
	if err := report(&bytes.Buffer{}, time.Hour, short); err == nil {
		t.Error("goroutines of a short run are not judged")
	}
	if err := report(&bytes.Buffer{}, time.Hour, make([]sample, 3)); err == nil {
		t.Error("three samples have no quarter")
	}
}
