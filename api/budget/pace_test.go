package budget

import (
	"testing"
	"time"
)

func TestTheLessItIsMissedTheSoonerItIsRefused(t *testing.T) {
	for _, window := range []struct {
		name  string
		every time.Duration // between requests
		want  [5]int        // taken by each priority after the ones before
	}{
		{"minute", 0, [5]int{500, 150, 150, 0, 200}},
		{"hour", 250 * time.Millisecond, [5]int{7_600, 200, 200, 1_500, 500}},
	} {
		t.Run(window.name, func(t *testing.T) {
			b, now := New(), start()
			for p, want := range window.want {
				got := 0
				for {
					if ok, _ := b.Take(now, Other, Priority(p), "lane"); !ok {
						break
					}
					got++
					now = now.Add(window.every)
				}
				if got != want {
					t.Errorf("priority %d took %d, want %d", p, got, want)
				}
			}
		})
	}
}

func TestWhatIsDoneToManyLeavesRoomForOne(t *testing.T) {
	b, now := New(), start()
	if n := takeUntil(b, now, 100, Create, Bulk); n != 48 {
		t.Errorf("%d cards issued at once", n)
	}
	if n := takeUntil(b, now, 100, Create, User); n != 2 {
		t.Errorf("%d cards issued one by one beside them", n)
	}
	if n := takeUntil(b, now, 1000, Other, Bulk); n != 600 {
		t.Errorf("%d more rows in the minute", n)
	}
	if n := takeUntil(b, now, 1000, Other, High); n != 150 {
		t.Errorf("%d polls for codes beside them", n)
	}
}

func TestWhatUsersDoIsTakenFromTheReserve(t *testing.T) {
	b, now := New(), start()
	for i := range 4 {
		takeUntil(b, now.Add(time.Duration(i)*2*time.Minute), 500, Other, User)
	}
	now = now.Add(8 * time.Minute)
	background := 0
	for range 10 {
		background += takeUntil(b, now, 1000, Other, High)
		now = now.Add(2 * time.Minute)
	}
	if background != PerHour-Reserve-Reserve/4 {
		t.Errorf("the background took %d after users took all of the reserve", background)
	}
}

func TestPace(t *testing.T) {
	spend := func(b *Budget, from, to time.Duration, hourly int) {
		for at := from; at < to; at += time.Hour / time.Duration(hourly) {
			b.Take(start().Add(at), Other, High, "codes")
		}
	}
	for _, tt := range []struct {
		name     string
		at       time.Duration
		spent    func(b *Budget)
		from, to int
	}{
		{"nothing spent", 0, func(*Budget) {}, 7_950, 8_000},
		{"steady use may go on", 3 * time.Hour, func(b *Budget) { spend(b, 0, 3*time.Hour, 6_000) }, 7_950, 8_000},
		{"a burst slows what follows", 40 * time.Minute, func(b *Budget) { spend(b, 0, 40*time.Minute, 11_400) }, 1_100, 2_500},
		{"the burst leaves", 65 * time.Minute, func(b *Budget) { spend(b, 0, 40*time.Minute, 11_400) }, 7_000, 8_000},
		{"everything spent", 30 * time.Minute, func(b *Budget) { spend(b, 0, 30*time.Minute, 16_100) }, 0, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := New()
			tt.spent(b)
			if got := b.Pace(start().Add(tt.at)); got < tt.from || got > tt.to {
				t.Errorf("pace %d, want %d to %d", got, tt.from, tt.to)
			}
		})
	}
}

// TestWhoKeepsThePaceNeverStops starts with a burst and then spends as fast as
// the pace allows.
func TestWhoKeepsThePaceNeverStops(t *testing.T) {
	for _, burst := range []int{0, 700, 1_500, 3_000} {
		b := New()
		for i := range 4 {
			takeUntil(b, start().Add(time.Duration(i)*time.Minute), burst/4, Other, High)
		}
		for at := 4 * time.Minute; at < 3*time.Hour; {
			now := start().Add(at)
			pace := min(10_800, b.Pace(now))
			if pace < 360 {
				t.Fatalf("after a burst of %d the pace at %v is %d", burst, at, pace)
			}
			if ok, wait := b.Take(now, Other, High, "codes"); !ok {
				t.Fatalf("after a burst of %d nothing may be asked for %v at %v", burst, wait, at)
			}
			at += time.Hour / time.Duration(pace)
		}
	}
}

// TestProgramsShareThePace lets several programs spend as fast as the pace
// allows, each telling the others every ten seconds.
func TestProgramsShareThePace(t *testing.T) {
	for _, tt := range []struct {
		name   string
		demand []int // an hour
		least  []int // of each, in the third hour
	}{
		{"two that fit", []int{5_940, 1_695}, []int{5_800, 1_600}},
		{"two that do not", []int{5_940, 5_940}, []int{3_600, 3_600}},
		{"three, one of them modest", []int{5_940, 5_940, 600}, []int{2_600, 2_600, 550}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			programs := make([]*Budget, len(tt.demand))
			due := make([]time.Duration, len(tt.demand))
			spent, pace := make([]int, len(tt.demand)), make([]int, len(tt.demand))
			for i := range programs {
				programs[i] = New()
			}
			var all []time.Duration
			for at := time.Duration(0); at < 3*time.Hour; at += 200 * time.Millisecond {
				now := start().Add(at)
				if at%(10*time.Second) == 0 {
					for i, b := range programs {
						var others []Entry
						for j, other := range programs {
							if i != j {
								others = append(others, other.Export(now)...)
							}
						}
						b.Elsewhere(now, others, len(programs)-1)
						pace[i] = min(tt.demand[i], max(1, b.Pace(now)))
					}
				}
				for i, b := range programs {
					if at < due[i] {
						continue
					}
					due[i] += time.Hour / time.Duration(pace[i])
					if ok, _ := b.Take(now, Other, High, "codes"); ok {
						all = append(all, at)
						if at >= 2*time.Hour {
							spent[i]++
						}
					}
				}
			}
			first := 0
			for i := range all {
				for all[i]-all[first] >= time.Hour {
					first++
				}
				if n := i - first + 1; n > PerHour-Reserve+100 {
					t.Fatalf("%d requests in the hour before %v", n, all[i])
				}
			}
			for i, least := range tt.least {
				if spent[i] < least {
					t.Errorf("program %d made %d requests in the third hour, want %d", i, spent[i], least)
				}
			}
		})
	}
}
