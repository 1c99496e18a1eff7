package burn_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/burn"
)

func TestHowLongABalanceLastsIsOneNumberInOneUnit(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	for _, c := range []struct {
		r    burn.Runway
		want string
	}{
		{burn.Runway{}, "0 m"},
		{burn.Runway{Left: 40 * time.Minute, Low: 30 * time.Minute, High: 90 * time.Minute}, "40 m (30–90)"},
		{burn.Runway{Left: 12 * time.Minute, Low: time.Minute, High: burn.Horizon}, "12 m (1 m–30+ d)"},
		{burn.Runway{Left: 12 * time.Minute, Low: time.Minute, High: 2*hour + 30*time.Minute}, "12 m (1 m–2.5 h)"},
		{burn.Runway{Left: 14 * hour, Low: 6*hour + 20*time.Minute, High: burn.Horizon}, "14 h (6.3 h–30+ d)"},
		{burn.Runway{Left: 5*hour + 12*time.Minute, Low: 4 * hour, High: 30 * hour}, "5.2 h (4.0–30)"},
		{burn.Runway{Left: 31 * hour, Low: 22 * hour, High: 44 * hour}, "1.2 d (0.9–1.8)"},
		{burn.Runway{Left: 12 * day, Low: 8 * day, High: burn.Horizon}, "12 d (8.0–30+)"},
		{burn.Runway{Left: 36 * hour, Low: 36 * hour, High: 37 * hour}, "1.5 d"},
		{burn.Runway{Left: burn.Horizon, Low: burn.Horizon, High: burn.Horizon}, "30+ d"},
	} {
		if got := c.r.Text(nil); got != c.want {
			t.Errorf("%+v: %s, want %s", c.r, got, c.want)
		}
	}
}
