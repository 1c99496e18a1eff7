package cmd

import (
	"testing"
	"time"
)

func TestOnlyWhatStaysMayBeLate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want time.Duration
	}{
		{nil, lateOnScreen},
		{[]string{"--profile", "work"}, lateOnScreen},
		{[]string{"watch", "--json"}, lateOnScreen},
		{[]string{"hub", "--demo"}, lateInHub},
		{[]string{"--profile", "team", "hub"}, lateInHub},
		{[]string{"--version"}, 0},
		{[]string{"--profile", "work", "-h"}, 0},
		{[]string{"cards", "list"}, 0},
		{[]string{"otp", "--wait"}, 0},
	} {
		if got := mayBeLate(c.args); got != c.want {
			t.Errorf("timers of cardtop %v may be %s late, not %s", c.args, got, c.want)
		}
	}
}
