package poll_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/state/poll"
)

func TestAQuotaHoldsInEveryHour(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var q poll.Quota
		var taken []time.Duration
		most := rapid.IntRange(1, 5).Draw(t, "most")
		now := time.Duration(0)
		within := func(span time.Duration) (n int) {
			for _, d := range taken {
				if d > now-span {
					n++
				}
			}
			return n
		}
		for range 30 {
			now += time.Duration(rapid.IntRange(0, 1500).Draw(t, "seconds")) * time.Second
			free, ok := q.Take(at(now), most)
			switch {
			case ok:
				taken = append(taken, now)
				if n := within(time.Hour); n > most {
					t.Fatalf("%d in an hour, at most %d", n, most)
				}
			case within(time.Hour+2*time.Minute) < most:
				t.Fatalf("refused after %d of %d", within(time.Hour+2*time.Minute), most)
			case !free.After(at(now).Round(0)) || free.After(at(now+time.Hour+time.Minute).Round(0)):
				t.Fatalf("free at %v, asked at %v", free, at(now))
			default:
				now += free.Sub(at(now).Round(0))
				if _, ok := q.Take(at(now), most); !ok {
					t.Fatal("refused when it was to be free")
				}
				taken = append(taken, now)
			}
		}
	})
}

// TestAQuotaFollowsAClockThatIsSet holds that a clock that is set back does not stop the
// requests.
func TestAQuotaFollowsAClockThatIsSet(t *testing.T) {
	t.Parallel()
	var q poll.Quota
	if _, ok := q.Take(at(5*time.Hour), 1); !ok {
		t.Fatal("the first is refused")
	}
	if _, ok := q.Take(at(0), 1); !ok {
		t.Error("refused for a time that is to come")
	}
	if _, ok := q.Take(at(0), 0); ok {
		t.Error("none are allowed, and one is")
	}
}
