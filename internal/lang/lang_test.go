package lang

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
)

func TestANilWordsIsEnglish(t *testing.T) {
	t.Parallel()
	var w *Words
	at := time.Date(2026, 1, 5, 14, 2, 0, 0, time.UTC)
	for _, c := range []struct{ got, want string }{
		{w.T("now"), "now"},
		{w.Tc("verb", "open"), "open"},
		{w.Tf("%d of %d", 1, 2), "1 of 2"},
		{w.Tn(1, "%d card", "%d cards"), "1 card"},
		{w.Tn(2, "%d card", "%d cards"), "2 cards"},
		{w.Dollars(-1234_56 * api.Cent), "-$1,234.56"},
		{w.Time(at, "Jan _2 15:04"), "Jan  5 14:02"},
		{w.Age(3400 * time.Millisecond), "3.4s"},
		{w.Seconds(2100 * time.Millisecond), "3 s"},
		{w.Ago(3 * time.Minute), "3m ago"},
		{w.Name(), English},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
}

func words(name string, texts map[string][]string) *Words {
	s, _ := signsOf(name)
	return newWords(name, texts, s)
}

func TestATranslationIsFoundAndTheEnglishTextWhereThereIsNone(t *testing.T) {
	t.Parallel()
	w := words(Russian, map[string][]string{
		"now": {"сейчас"}, "verb" + between + "open": {"открыть"}, "%d of %d": {"%[2]d, из них %[1]d"},
		"%d card": {"%d карта", "%d карты", "%d карт"},
	})
	for _, c := range []struct{ got, want string }{
		{w.T("now"), "сейчас"},
		{w.T("then"), "then"},
		{w.T("open"), "open"},
		{w.Tc("verb", "open"), "открыть"},
		{w.Tf("%d of %d", 1, 2), "2, из них 1"},
		{w.Tf("%s is new", "x"), "x is new"},
		{w.Tn(3, "%d plan", "%d plans"), "3 plans"},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
	for n, want := range map[int]string{0: "0 карт", 1: "1 карта", 2: "2 карты", 4: "4 карты", 5: "5 карт", 11: "11 карт", 12: "12 карт", 14: "14 карт", 21: "21 карта", 22: "22 карты", 111: "111 карт", 1001: "1001 карта"} {
		if got := w.Tn(n, "%d card", "%d cards"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestNumbersAndDatesAreWrittenAsTheLanguageHasThem(t *testing.T) {
	t.Parallel()
	ru, uk := words(Russian, nil), words(Ukrainian, nil)
	may, january := time.Date(2026, 5, 5, 14, 2, 0, 0, time.UTC), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ got, want string }{
		{ru.Dollars(1234_56 * api.Cent), "1\u00a0234,56\u00a0$"},
		{ru.Dollars(-5 * api.Dollar), "-5,00\u00a0$"},
		{uk.Amount(1234567 * api.Dollar), "1\u00a0234\u00a0567,00"},
		{ru.Time(may, "Jan _2 15:04"), " 5 май 14:02"},
		{uk.Time(january, "Jan 2 15:04"), "31 січ 09:00"},
		{ru.Time(may, time.DateOnly), "2026-05-05"},
		{uk.Time(january, "Mon 02"), "сб 31"},
		{ru.Age(3400 * time.Millisecond), "3,4с"},
		{uk.Age(3 * time.Hour), "3г"},
		{uk.AgeCoarse(4 * time.Second), "4с"},
		{ru.Seconds(time.Second), "1 с"},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
}

func TestAgesInEnglish(t *testing.T) {
	t.Parallel()
	var w *Words
	for d, want := range map[time.Duration]string{
		-time.Second: "0.0s", 0: "0.0s", 449 * time.Millisecond: "0.4s", 9999 * time.Millisecond: "9.9s",
		10 * time.Second: "10s", 59999 * time.Millisecond: "59s", time.Minute: "1m", 59 * time.Minute: "59m",
		2 * time.Hour: "2h", 23*time.Hour + 59*time.Minute: "23h", 72 * time.Hour: "3d", 4000 * time.Hour: "166d",
	} {
		if got := w.Age(d); got != want {
			t.Errorf("Age(%v) = %s, want %s", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{-time.Second: "0s", 2900 * time.Millisecond: "2s", 12 * time.Second: "12s"} {
		if got := w.AgeCoarse(d); got != want {
			t.Errorf("AgeCoarse(%v) = %s, want %s", d, got, want)
		}
	}
}

func TestTheEnvironmentSaysTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, English},
		{map[string]string{"LANG": "ru_RU.UTF-8"}, Russian},
		{map[string]string{"LANG": "uk_UA.UTF-8", "LC_ALL": "C.UTF-8"}, English},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_MESSAGES": "uk"}, Ukrainian},
		{map[string]string{"LANG": "de_DE.UTF-8"}, English},
	} {
		if got := FromEnvironment(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %s, not %s", c.env, got, c.want)
		}
	}
	for _, c := range []struct{ setting, locale, want string }{
		{Auto, Russian, Russian}, {Ukrainian, Russian, Ukrainian}, {Russian, "", English}, {Auto, English, English},
	} {
		if got := For(c.setting, c.locale).Name(); got != c.want {
			t.Errorf("%s in %s: %s, not %s", c.setting, c.locale, got, c.want)
		}
	}
}

func TestAFileOfTranslationsIsRead(t *testing.T) {
	t.Parallel()
	var got []Entry
	err := parse([]byte("msgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\n#: a.go\n#, fuzzy\nmsgctxt \"verb\"\nmsgid \"open\"\nmsgstr \"от\"\n\"крыть\"\n\nmsgid \"%d card\"\nmsgid_plural \"%d cards\"\nmsgstr[0] \"1\"\nmsgstr[1] \"2\"\n"), func(e Entry) { got = append(got, e) })
	if err != nil || len(got) != 2 || got[0].Key() != "verb\x04open" || got[0].Forms[0] != "открыть" || !got[0].Fuzzy || got[1].Plural != "%d cards" || len(got[1].Forms) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"msgid open", "nonsense", "\"text\"\n"} {
		if err := parse([]byte(bad), func(Entry) {}); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestTranslationsAreRead(t *testing.T) {
	t.Parallel()
	for _, name := range Names()[1:] {
		if _, err := translations(name); err != nil {
			t.Error(err)
		}
	}
}
