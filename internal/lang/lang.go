// Package lang has the texts of the screen in the language of its user, and how that
// language writes numbers, dates and spans. What scripts read stays English.
//
// A text is written in English where it is shown, and translated there by the methods
// of Words; po/ has the translations, as gettext has them. Texts that are held before
// they are shown, in tables, are marked by N.
package lang

import (
	"fmt"
	"slices"
	"strings"
)

// The languages.
const (
	English   = "en"
	Russian   = "ru"
	Ukrainian = "uk"
)

// Auto is the language of the environment.
const Auto = "auto"

// Names returns the languages that Of knows.
func Names() []string { return []string{English, Russian, Ukrainian} }

// Words are the texts of one language. A nil Words is English.
type Words struct {
	name  string
	texts map[string][]string
	signs signs
	// number and layout write numbers and layouts of dates as the language does.
	number, layout *strings.Replacer
}

// For returns the words of a setting, on a screen whose environment asks for a locale.
// Without a locale there is no screen, and scripts read English.
func For(setting, locale string) *Words {
	if locale == "" {
		return nil
	}
	if setting == Auto {
		setting = locale
	}
	return Of(setting)
}

// Of returns the words of a language; of none and of one that is not known, English.
func Of(name string) *Words {
	s, ok := signsOf(name)
	if !ok {
		return nil
	}
	texts, err := translations(name)
	if err != nil {
		return nil // TestTranslationsAreRead reads them all.
	}
	return newWords(name, texts, s)
}

// FromEnvironment returns the name of the language that the variables of the
// environment ask for, the first that is set; English where that is not known.
func FromEnvironment(lookup func(string) string) string {
	for _, name := range [...]string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := lookup(name); value != "" {
			tag, _, _ := strings.Cut(strings.ToLower(value), ".")
			tag, _, _ = strings.Cut(tag, "_")
			if slices.Contains(Names(), tag) {
				return tag
			}
			return English
		}
	}
	return English
}

// Name is the name of the language.
func (w *Words) Name() string {
	if w == nil {
		return English
	}
	return w.name
}

// N marks a text that is translated where it is shown, by T.
func N(text string) string { return text }

// Column marks the title of a column, translated where it is drawn, by Title.
func Column(title string) string { return title }

// column is the context of titles of columns: they are shorter than elsewhere.
const column = "column"

// Title translates the title of a column; one that is not marked as such, as T does.
func (w *Words) Title(title string) string {
	if w == nil {
		return title
	}
	if forms := w.texts[column+between+title]; len(forms) > 0 {
		return forms[0]
	}
	return w.T(title)
}

// T translates a text.
func (w *Words) T(text string) string {
	if w == nil {
		return text
	}
	if forms := w.texts[text]; len(forms) > 0 {
		return forms[0]
	}
	return text
}

// between a context and a text, as in gettext.
const between = "\x04"

// Tc translates a text that means something else elsewhere; the context tells them
// apart.
func (w *Words) Tc(context, text string) string {
	if w == nil {
		return text
	}
	if forms := w.texts[context+between+text]; len(forms) > 0 {
		return forms[0]
	}
	return text
}

// Tf translates a format, and fills it in.
func (w *Words) Tf(format string, args ...any) string {
	if w != nil {
		if forms := w.texts[format]; len(forms) > 0 {
			return fmt.Sprintf(forms[0], args...)
		}
	}
	return fmt.Sprintf(format, args...)
}

// Tn translates a format of a count, which is its only verb: the first form is of 1.
func (w *Words) Tn(n int, one, many string) string {
	if w != nil {
		if forms := w.texts[one]; len(forms) > 1 {
			return fmt.Sprintf(forms[form(n, len(forms))], n)
		}
	}
	if n == 1 {
		return fmt.Sprintf(one, n)
	}
	return fmt.Sprintf(many, n)
}

// form is which of the forms goes with a count. Russian and Ukrainian have the same
// rule: 1, 21, 31; 2 to 4, 22 to 24; the rest.
func form(n, forms int) int {
	n = max(n, -n)
	form := 2
	switch {
	case n%10 == 1 && n%100 != 11:
		form = 0
	case n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
		form = 1
	}
	return min(form, forms-1)
}

// Separators returns what the programs of an environment's locale have between the cells of CSV, and in numbers.
func Separators(lookup func(string) string) (cells, decimal string) {
	for _, name := range [...]string{"LC_ALL", "LC_NUMERIC", "LANG"} {
		value := lookup(name)
		if value == "" {
			continue
		}
		locale, _, _ := strings.Cut(value, ".")
		locale, _, _ = strings.Cut(locale, "@")
		language, territory, _ := strings.Cut(locale, "_")
		switch {
		case !slices.Contains(strings.Fields("az be bg ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk uz vi"), language):
			return ",", "."
		case language == "es" && slices.Contains(strings.Fields("DO GT HN MX NI PA PE PR SV US"), territory):
			return ",", "."
		case territory == "CH" || territory == "LI":
			return ";", "."
		}
		return ";", ","
	}
	return ",", "."
}
