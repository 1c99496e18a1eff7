package query_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
)

// row is a card, as far as these tests ask.
type row struct {
	label, status string
	balance       api.USD
	yen           bool          // the balance is none in USD
	age           time.Duration // 0: never
	left, burn    query.Figure

	declined, tried int64
}

func language() query.Language[row] {
	return query.Language[row]{
		Holds: func(r row, want *query.Needle) bool { return want.In(r.label) || want.In(r.status) },
		Fields: []query.Field[row]{
			{Name: "bal", Also: []string{"balance"}, Money: func(r row) (api.USD, bool) { return r.balance, !r.yen }},
			{Name: "label", Text: func(r row) string { return r.label }},
			{Name: "status", Word: func(r row) string { return r.status }, Words: []string{"active", "frozen"}},
			{Name: "left", Figure: func(r row) query.Figure { return r.left }, Unit: query.Nanoseconds},
			{Name: "burn", Figure: func(r row) query.Figure { return r.burn }, Unit: query.Dollars},
			{Name: "decl7", Figure: func(r row) query.Figure { return query.PercentOf(r.declined, r.tried) }, Unit: query.Percent},
			{Name: "last", Age: func(r row) (time.Duration, bool) { return r.age, r.age > 0 }},
		},
	}
}

func TestAnAmountInAnotherCurrencyIsNotCompared(t *testing.T) {
	l := language()
	for _, text := range []string{"bal<20", "bal>=0", "bal=0"} {
		q, err := l.Parse(text)
		if err != nil || q.Match(row{yen: true}) {
			t.Errorf("%s, %v", text, err)
		}
	}
}

func TestTermsAreAndedAndMeanWhatTheySay(t *testing.T) {
	l := language()
	card := row{label: "fb/spring/01", status: "active", balance: 19_99 * api.Cent, age: 90 * time.Minute}
	for text, want := range map[string]bool{
		"":                           true,
		"fb":                         true,
		"FB spring":                  true,
		"fb tt":                      false,
		"!tt":                        true,
		"!fb":                        false,
		"bal<20":                     true,
		"bal<$20":                    true,
		"bal>=19.99":                 true,
		"bal>19.99":                  false,
		"bal=19.99":                  true,
		"bal!=19.99":                 false,
		"!bal>1,000":                 true,
		"!bal>1,000.50":              true,
		"!bal>1,000,000":             true,
		"balance<20":                 true,
		"BAL<20 STATUS=Active":       true,
		"status=act":                 true,
		"status=frozen":              false,
		"status=frozen,active":       true,
		"status!=frozen":             true,
		"!status!=active":            true,
		"label~spring":               true,
		"label!~spring":              false,
		"label=fb/spring/01":         true,
		"label=fb":                   false,
		`label~"g/0"`:                true,
		`"fb/spring"`:                true,
		`"or"`:                       false,
		`label~"fb/spr","x,y"`:       true,
		`"bal<1"`:                    false,
		"last<2h":                    true,
		"last<1h30m":                 false,
		"last<=1h30m":                true,
		"last>1d":                    false,
		"bal<20 status=active !2039": true,
		// As other programs have it.
		"status:active": true, "!status:frozen": true, "STATUS:frozen": false, "label:spring": true, "label:/^fb/": true, "bal:19.99": true, "status:": true,
		"fb:spring": false, `"status:active"`: false, ":": false,
		// What is still being typed asks nothing.
		"bal<": true, "status=": true, "!": true, "label~\"": true, "label=,": true,
		// Expressions.
		"/Spr.ng/": true, "/^fb.*0[1-3]$/": true, "/^spring/": false, "!/^spring/": true, "!/spring/": false,
		"/tt|FB/": true, "/tt|gg/": false, "/act.ve/": true, "/^active$/": true, `/\d\d/`: true, `/\D\d\d/`: true, `/\d\D/`: false,
		"label~/^FB/": true, "label!~/^fb/": false, "!label~/^tt/": true, "label~/^spring/": false, "status~/^(act|fro)/": true,
		"/fb/spring/": true, "/fb/spring/ bal<20": true, "/b sp/": false, "label~/b sp/ bal<20": false, `label~/fb\/ / fb`: false,
		"/b.sp/ fb": true, "label~/b.sp/ tt": false, "/bal<9/": false, "label~/a=b|f/": true,
		// One that is still open goes for what there is of it.
		"/Spr": true, "/^spr": false, "/": true, "//": true, "!/": true, "label~/": true, "label~//": true, "label~/^tt": false,
		// A slash within a word is none.
		"fb/spring/01": true, "fb/": true, "b/sp": true, "fb/s.ring": false, "label=/fb/": false, `label~"/spring"`: true, `"/spring"`: true, "label~fb/spr": true,
	} {
		q, err := l.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := q.Match(card); got != want {
			t.Errorf("%q matches: %t", text, got)
		}
	}
	q, err := l.Parse("last>100w")
	if err != nil || !q.Match(row{}) || !q.Timed() {
		t.Errorf("what never was is longer ago than anything: %v", err)
	}
}

func TestAWrongTermIsNamedWithItsPlace(t *testing.T) {
	l := language()
	for text, want := range map[string]struct{ part, reason string }{
		"fb bal<2x":       {"2x", "2x is no amount"},
		"bal<1e2":         {"1e2", "1e2 is no amount"},
		"bal<20,00":       {"20,00", "20,00: decimals follow a dot"},
		"bal<1,00,000":    {"1,00,000", "1,00,000: decimals follow a dot"},
		"burn>1,5":        {"1,5", "1,5: decimals follow a dot"},
		"decl7>7,5":       {"7,5", "7,5: decimals follow a dot"},
		"colour=red":      {"colour", "no field colour: bal label status left burn decl7 last"},
		"bal<20 or bal>9": {"or", "or connects nothing here: commas separate values of which one is enough"},
		"bal<20 OR fb":    {"OR", "OR connects nothing here: commas separate values of which one is enough"},
		"fb and gg":       {"and", "and connects nothing here: all terms have to hold anyway"},
		"not fb":          {"not", "not connects nothing here: ! before a term negates it"},
		"(bal<20":         {"(bal<20", "(bal<20: there are no brackets here, but in quotes"},
		"fb bal<20)":      {"bal<20)", "bal<20): there are no brackets here, but in quotes"},
		"lable~fb":        {"lable", "no field lable (did you mean label?)"},
		"stat=active":     {"stat", "no field stat (did you mean status?)"},
		"alst<2h":         {"alst", "no field alst (did you mean last?)"},
		"b<2":             {"b", "no field b: bal label status left burn decl7 last"},
		"status=open":     {"open", "open is no status: active, frozen"},
		"last<2":          {"2", "2 is no time such as 30m, 2h or 7d"},
		"last=2h":         {"=2h", "last takes < and >"},
		"last:2h":         {":2h", "last takes < and >"},
		"status:open":     {"open", "open is no status: active, frozen"},
		"label<3":         {"<3", "label takes = and ~"},
		"left=2d":         {"=2d", "left takes < and >"},
		"left<2":          {"2", "2 is no time such as 30m, 2h or 7d"},
		"burn>x":          {"x", "x is no amount"},
		"burn~1":          {"~1", "burn takes < and >"},
		"decl7>120":       {"120", "120 is no percentage"},
		"decl7>x":         {"x", "x is no percentage"},
		"bal~3":           {"~3", "bal takes < > and ="},
		"a <20":           {"<20", "a name is missing before <"},
		"!bal<y active":   {"y", "y is no amount"},
		"fb /a(b/ tt":     {"/a(b/", "/a(b/ is no expression: a ) is missing"},
		"/a b[":           {"/a b[", "/a b[ is no expression: a ] is missing"},
		"label!~/*/":      {"/*/", "/*/ is no expression: nothing to repeat before * + ? or {"},
		"/[z-a]/":         {"/[z-a]/", "/[z-a]/ is no expression: no such range in [ ]"},
		"/[[:x:]]/":       {"/[[:x:]]/", "/[[:x:]]/ is no expression: no such range in [ ]"},
		"/a)/":            {"/a)/", "/a)/ is no expression: a ) has no ( before it"},
		"/a**/":           {"/a**/", "/a**/ is no expression: one repeat after another"},
		"/a{3,2}/":        {"/a{3,2}/", "/a{3,2}/ is no expression: the count in { } is too large, or the wrong way round"},
		"/a\\":            {"/a\\", "/a\\ is no expression: nothing after the \\ at its end"},
		"/\\y/":           {"/\\y/", "/\\y/ is no expression: no such letter after \\"},
		"/(?x)a/":         {"/(?x)a/", "/(?x)a/ is no expression: no such group with (?"},
		"/(.{40}){20}x{300}/": {
			"/(.{40}){20}x{300}/", "/(.{40}){20}x{300}/ is no expression: it repeats too much",
		},
		"last<99999999999w": {
			"99999999999w", "99999999999w is no time such as 30m, 2h or 7d",
		},
	} {
		_, err := l.Parse(text)
		var bad *query.Error
		if !errors.As(err, &bad) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := text[bad.From:bad.To]; got != want.part || !strings.HasPrefix(bad.Text, want.reason+", as in ") && bad.Text != want.reason+" (bal<20)" {
			t.Errorf("%q: %q at %q", text, bad.Text, got)
		}
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	l := language()
	for text, want := range map[string]string{
		"fb status=": "status: active, frozen, as in status=active", "bal<": "bal: USD, as in bal<20", "last>": "last: a time such as 30m, 2h or 7d", "label~": "label: text or /expression/, as in label~us", "fb": "", "fb /": "a regular expression: ", "label~/": "a regular expression: ", "/f": "",
	} {
		if q, err := l.Parse(text); err != nil || !strings.HasPrefix(q.Hint(), want) || want == "" && q.Hint() != "" {
			t.Errorf("%q: %q, %v", text, q.Hint(), err)
		}
	}
}

func TestNarrows(t *testing.T) {
	l := language()
	parse := func(text string) query.Query[row] {
		q, err := l.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"", "f", true},
		{"f", "fb", true},
		{"fb", "f", false},
		{"fb", "fb bal<20", true},
		{"bal<2", "bal<20", false},
		{"fb bal<20", "bal<20 fb/", true},
		{"!fb", "fb", false},
		{"fb", "!fb", false},
		{"!f", "!fb", false},
		{`/\d/`, `/\D/`, false},
		{"/f/", "/fb/", false},
		{"/f/", "/f/ fb", true},
		{`label~/\d/`, `label~/\D/`, false},
	} {
		from, to := parse(c.from), parse(c.to)
		if to.Narrows(&from) != c.want {
			t.Errorf("%q to %q: %t", c.from, c.to, !c.want)
		}
	}
}

// TestAmountsAreFoundAsTheyAreWritten with a comma between thousands, without, and with
// a decimal comma; what narrows a word on the way there keeps them.
func TestAmountsAreFoundAsTheyAreWritten(t *testing.T) {
	l := query.Language[api.USD]{Holds: func(u api.USD, want *query.Needle) bool { return want.InAmount(u) }}
	parse := func(text string) query.Query[api.USD] {
		q, err := l.Parse(text)
		if err != nil {
			t.Fatal(text, err)
		}
		return q
	}
	for _, c := range []struct {
		amount api.USD
		texts  string
		want   bool
	}{
		{3442_96 * api.Cent, "3442.96 3,442.96 3442,96 3,442 442.9 .96 ,96 /^3,?442/", true},
		{-12_50 * api.Cent, "-12.50 12,50 12,5 12, 12 -", true},
		{12_50 * api.Cent, "12,500", false},
		{12_50 * api.Cent, "12a", false},
		{3442_96 * api.Cent, "34,42", false},
		{300 * api.Cent, "-", false},
	} {
		for text := range strings.FieldsSeq(c.texts) {
			q := parse(text)
			if q.Match(c.amount) != c.want {
				t.Errorf("%s in %s: %t", text, c.amount, !c.want)
			}
			for i := 1; i < len(text) && c.want && text[0] != '/'; i++ {
				if shorter := parse(text[:i]); q.Narrows(&shorter) && !shorter.Match(c.amount) {
					t.Errorf("%s in %s, but not %s that it narrows", text, c.amount, text[:i])
				}
			}
		}
	}
}

func TestAListWithoutFieldsIsAskedForWords(t *testing.T) {
	l := query.Words()
	for text, want := range map[string]bool{
		"": true, "freeze fb": true, "a=b": true, "fb=": false, "!fb": false, "/^fr.*01/": true, "!/^fb/": true, `"eze fb/"`: true, `"fb freeze"`: false,
	} {
		if q, err := l.Parse(text); err != nil || q.Match("freeze fb/01 a=b") != want {
			t.Errorf("%q: %t, %v", text, !want, err)
		}
	}
	if _, err := l.Parse("/("); err == nil {
		t.Error("a wrong expression is taken")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"bal<20 status=active label~fb 2039", `!label="a b" !"x`, "last<2h30m bal!=,", "=,<>~!", "\"", "status=a,b,\"", "!!fb", "bal<-0.5e3", "é\xff<\x00", `/f.*\d/ !label~/a b\/|^/ x`, "!/(/",
	} {
		f.Add(seed, "fb")
	}
	l := language()
	rows := []row{{}, {label: "fb/spring/01", status: "active", balance: 20 * api.Dollar, age: time.Hour}, {label: "tt 2", status: "frozen", balance: -api.Cent}}
	f.Fuzz(func(t *testing.T, text, more string) {
		q, err := l.Parse(text)
		if err != nil {
			var bad *query.Error
			if !errors.As(err, &bad) || bad.From < 0 || bad.From > bad.To || bad.To > len(text) || bad.Text == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		longer, err := l.Parse(text + more)
		for _, r := range rows {
			got := q.Match(r)
			if err == nil && longer.Narrows(&q) && longer.Match(r) && !got {
				t.Errorf("%q narrows %q and matches more", text+more, text)
			}
			if again, err := l.Parse(strings.ToUpper(strings.ToLower(text))); err == nil && isASCII(text) && !strings.Contains(text, "/") && again.Match(r) != got {
				t.Errorf("%q depends on the case", text)
			}
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// TestFiguresMatchWhatIsKnown alone, and within bounds where they hold at both.
func TestFiguresMatchWhatIsKnown(t *testing.T) {
	l := language()
	day, none := int64(24*time.Hour), query.Figure{}
	known := row{left: query.Exactly(day), burn: query.Exactly(int64(12 * api.Dollar)), declined: 1, tried: 5}
	between := row{left: query.Figure{Least: day, Most: 3 * day, Known: true}}
	for text, want := range map[string][3]bool{ // of known, between and one of which nothing is known
		"left<2d": {true, false, false}, "left>12h": {true, true, false}, "left<=24h": {true, false, false}, "left>=1d": {true, true, false},
		"left<4d": {true, true, false}, "left>2d": {false, false, false}, "!left<2d": {false, true, true}, "!left>2d": {true, true, true},
		"burn>10": {true, false, false}, "burn<$12.01": {true, false, false}, "burn>1,000": {false, false, false}, "BURN>=12": {true, false, false},
		"decl7>19.9": {true, false, false}, "decl7>=20%": {true, false, false}, "decl7>20": {false, false, false}, "decl7<": {true, true, true},
	} {
		q, err := l.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := [3]bool{q.Match(known), q.Match(between), q.Match(row{left: none})}; got != want {
			t.Errorf("%q matches %v, want %v", text, got, want)
		}
		if text != "decl7<" && !q.Timed() {
			t.Errorf("%q does not change with the time", text)
		}
	}
}

func TestUnused(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	since := now.AddDate(0, 0, -30)
	days := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	month := query.Figure{Least: int64(30 * 24 * time.Hour), Most: math.MaxInt64, Known: true}
	for name, c := range map[string]struct {
		used, created, now time.Time
		want               query.Figure
	}{
		"used":                          {days(3), days(90), now, query.Exactly(int64(3 * 24 * time.Hour))},
		"used ahead of the clock":       {days(-1), days(90), now, query.Exactly(0)},
		"used before the list begins":   {days(40), days(90), now, month},
		"never used, and new":           {time.Time{}, days(5), now, query.Exactly(int64(5 * 24 * time.Hour))},
		"no use read, and old":          {time.Time{}, days(90), now, month},
		"no use read, and no known age": {time.Time{}, time.Time{}, now, month},
		"nothing was read":              {days(3), days(90), time.Time{}, query.Figure{}},
	} {
		if got := query.Unused(c.used, c.created, since, c.now); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestAQuoteAfterABackslashIsLookedFor, and one that is open is not whole yet.
func TestAQuoteAfterABackslashIsLookedFor(t *testing.T) {
	l := language()
	for text, want := range map[string]bool{
		`label="a,b\"c"`: true, `label~"b\"c"`: true, `label~b\"c`: true, `label="a,bc"`: false, `"b\"c"`: true, `label~"x","b\"c"`: true,
	} {
		q, err := l.Parse(text)
		if err != nil || q.Hint() != "" {
			t.Errorf("%q: %v, %q", text, err, q.Hint())
		}
		if got := q.Match(row{label: `a,b"c`}); got != want {
			t.Errorf("%q matches: %v", text, got)
		}
	}
	for _, text := range []string{`label="a`, `"a`, `fb label~"x","y`, `label="a\"`} {
		if q, err := l.Parse(text); err != nil || q.Hint() != "a quote that ends" {
			t.Errorf("%q: %v, %q", text, err, q.Hint())
		}
	}
}
