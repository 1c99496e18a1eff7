package export_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/state/rows"
)

func list() rows.Rows {
	labels := []string{"=1+1", "-x", "plain, \"quoted\"", "", "<b>"}
	return rows.Rows{
		What: "cards", Columns: []string{"label", "balance"}, N: len(labels),
		Row: func(i int) []rows.Cell {
			return []rows.Cell{rows.Text(labels[i]), {Text: "-20.00", Number: true}}
		},
	}
}

func TestCSVHoldsNoFormula(t *testing.T) {
	var b strings.Builder
	must(t, export.Write(&b, list(), rows.CSV))
	got, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(got) != 6 || got[0][0] != "label" || got[1][0] != "'=1+1" || got[2][0] != "'-x" || got[3][0] != `plain, "quoted"` || got[1][1] != "-20.00" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTSVPastesAsCells holds that a spreadsheet gets a cell for each, and no
// formula.
func TestTSVPastesAsCells(t *testing.T) {
	var b strings.Builder
	given := list()
	row := given.Row
	given.Row = func(i int) []rows.Cell {
		cells := row(i)
		if cells[0].Text += "\ttab\r\nline"; i == 4 {
			cells[0].Text = `"Shop" 1`
		}
		return cells
	}
	must(t, export.Write(&b, given, rows.TSV))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 6 || lines[0] != "label\tbalance" || lines[1] != "'=1+1 tab  line\t-20.00" || lines[3] != "plain, \"quoted\" tab  line\t-20.00" || lines[4] != " tab  line\t-20.00" || lines[5] != `"""Shop"" 1"`+"\t-20.00" {
		t.Errorf("%q", lines)
	}
}

func TestJSONKeepsTheOrderAndTheDigits(t *testing.T) {
	var array, lines strings.Builder
	must(t, export.Write(&array, list(), rows.JSON))
	var got []map[string]any
	if err := json.Unmarshal([]byte(array.String()), &got); err != nil || len(got) != 5 || got[0]["label"] != "=1+1" || got[3]["label"] != nil || got[0]["balance"] != -20.0 {
		t.Errorf("%s: %v", array.String(), err)
	}
	if !strings.Contains(array.String(), `{"label":"<b>","balance":-20.00}`) {
		t.Error(array.String())
	}
	if err := export.Write(&lines, list(), rows.JSONLines); err != nil || strings.Count(lines.String(), "\n") != 5 {
		t.Errorf("%s: %v", lines.String(), err)
	}
}

func TestAnExportIsANewPrivateFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	f := export.Folder{Fallback: filepath.Join(dir, "profile"), Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }}
	for _, want := range []string{"cardtop-cards-20260301-120000.csv", "cardtop-cards-20260301-120000-1.csv"} {
		path, err := f.Save(list(), rows.CSV)
		must(t, err)
		info, err := os.Stat(path)
		if err != nil || !filepath.IsAbs(path) || filepath.Base(path) != want || info.Mode().Perm() != 0o600 {
			t.Errorf("%s, mode %v, %v", path, info.Mode(), err)
		}
	}
	// Nowhere to write: in the fallback.
	gone := filepath.Join(dir, "gone")
	for _, d := range []string{gone, f.Fallback} {
		must(t, os.Mkdir(d, 0o700))
	}
	t.Chdir(gone)
	must(t, os.Remove(gone))
	if path, err := f.Save(list(), rows.JSONLines); err != nil || path != filepath.Join(f.Fallback, "cardtop-cards-20260301-120000.jsonl") {
		t.Errorf("%s, %v", path, err)
	}
}

// TestAFileThatIsNotWholeIsCalledSo tells what it lacks by its name.
func TestAFileThatIsNotWholeIsCalledSo(t *testing.T) {
	f := export.Folder{Dir: t.TempDir(), Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }}
	for name, lacks := range map[string]rows.Partial{
		"cardtop-cards-20260301-120000-partial-since-2026-02-11.csv": rows.Since(time.Date(2026, 2, 11, 23, 0, 0, 0, time.UTC)),
		"cardtop-cards-20260301-120000-partial.csv":                  rows.Since(time.Time{}),
		"cardtop-cards-20260301-120000.csv":                          {},
	} {
		r := list()
		r.Lacks = lacks
		path, err := f.Save(r, rows.CSV)
		if err != nil || filepath.Base(path) != name {
			t.Errorf("%s, %v, want %s", path, err, name)
		}
	}
}

// TestNoCellIsAFormulaWhateverSeparatesThem: a spreadsheet takes commas, semicolons or tabs for separators, as the
// country has it. A label that was written comes back as it was.
func TestNoCellIsAFormulaWhateverSeparatesThem(t *testing.T) {
	texts := []string{"=1+1", "x;=1+2", "＝1+2", `a,"x;=1`, "x\t@SUM(A1)", "first\n-2+3", "'=1", "; +1", `"=1"`, "x,=1+2", "plain", "it's", " lead"}
	list := rows.Rows{What: "cards", Columns: []string{"id", "label"}, N: len(texts), Row: func(i int) []rows.Cell {
		return []rows.Cell{rows.Text("card_1"), rows.Text(texts[i])}
	}}
	for at, sep := range ",;\t,;\t" {
		var b strings.Builder
		format := rows.CSV
		if at > 2 {
			format = rows.TSV
		}
		must(t, export.Write(&b, list, format))
		in := csv.NewReader(strings.NewReader(b.String()))
		in.Comma, in.LazyQuotes, in.FieldsPerRecord = sep, true, -1
		all, err := in.ReadAll()
		must(t, err)
		for _, line := range all {
			for _, cell := range line {
				if text := strings.TrimLeft(cell, " \""); text != "" && strings.ContainsRune("=+-@＝", []rune(text)[0]) {
					t.Errorf("where %q separates, a cell of %s is %q", sep, format, cell)
				}
			}
		}
		if sep != ',' || format == rows.TSV {
			continue
		}
		for i, text := range texts {
			if got := cardcsv.Live(all[i+1][1]); got != text {
				t.Errorf("%q came back as %q", text, got)
			}
		}
	}
}

// TestExcelOpensCSVByADoubleClick: with what its locale has between cells and in numbers.
func TestExcelOpensCSVByADoubleClick(t *testing.T) {
	for form, want := range map[[2]string]string{
		{",", "."}: "\ufefflabel,balance\r\nспрос,12.50\r\n\"a;b\",-3\r\n",
		{";", ","}: "\ufefflabel;balance\r\nспрос;12,50\r\n\"a;b\";-3\r\n",
		{";", "."}: "\ufefflabel;balance\r\nспрос;12.50\r\n\"a;b\";-3\r\n",
	} {
		var out strings.Builder
		s := export.NewExcelStream(&out, []string{"label", "balance"}, form[0], form[1])
		for _, r := range [][]rows.Cell{{{Text: "спрос"}, {Text: "12.50", Number: true}}, {{Text: "a;b"}, {Text: "-3", Number: true}}} {
			must(t, s.Row(r))
		}
		if err := s.End(); err != nil || out.String() != want {
			t.Errorf("%q: %q, %v, want %q", form, out.String(), err, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
