//go:build night

package export_test

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/state/rows"
)

// hostile are labels that one program or another may take for a formula.
func hostile() []string {
	texts := []string{`a,"x;=1`, "x\t@SUM(A1)", "first\n-2+3", "'=1", "; +1", `"=1"`, "plain", "it's", `=HYPERLINK("http://127.0.0.1/";"x")`, `=cmd|' /C calc'!A0`, "世界", "🚀 fb/spring"}
	for _, before := range []string{"", " ", "\u00a0", "x;", "x\t", "x\n", `"`, "'", "''", "x;\u00a0", "x,"} {
		for _, sign := range "=+-@＝＋－＠" {
			texts = append(texts, before+string(sign)+"1+2")
		}
	}
	return texts
}

// calc converts files with LibreOffice, which evaluates what it takes for a formula.
func calc(t *testing.T, to, in string, files ...string) {
	t.Helper()
	dir := filepath.Dir(files[0])
	args := []string{"--headless", "--norestore", "-env:UserInstallation=file://" + dir + "/profile", "--convert-to", to, "--outdir", dir}
	if in != "" {
		args = append(args, "--infilter="+in)
	}
	if out, err := exec.CommandContext(t.Context(), "soffice", append(args, files...)...).CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v: %s", err, out)
	}
}

func readAll(t *testing.T, path string, comma rune) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	in := csv.NewReader(strings.NewReader(string(data)))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, comma == '\t'
	all, err := in.ReadAll()
	must(t, err)
	return all
}

// TestLibreOfficeFindsNoFormula opens exports as each country's separators have it, and saves them again.
func TestLibreOfficeFindsNoFormula(t *testing.T) {
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip("needs LibreOffice: install libreoffice-calc")
	}
	texts, dir := hostile(), t.TempDir()
	list := rows.Rows{What: "cards", Columns: []string{"id", "label"}, N: len(texts), Row: func(i int) []rows.Cell {
		return []rows.Cell{rows.Text("card_1"), rows.Text(texts[i])}
	}}
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		must(t, os.WriteFile(path(name), []byte(text), 0o600))
	}
	for name, format := range map[string]rows.Format{"comma.csv": rows.CSV, "tab.csv": rows.TSV} {
		var b strings.Builder
		must(t, export.Write(&b, list, format))
		write(name, b.String())
	}
	write("control.csv", "1,=1+2\n1;=1+2\n1\t=1+2\n")
	clean, found := 0, 0
	for _, sep := range []struct{ name, code string }{{"comma", "44"}, {"semicolon", "59"}, {"tab", "9"}} {
		calc(t, "fods", "CSV:"+sep.code+",34,76,1,,1033,false,false,false,false,false,0,true", path("comma.csv"), path("tab.csv"), path("control.csv"))
		for _, name := range []string{"comma", "tab", "control"} {
			sheet, err := os.ReadFile(path(name + ".fods"))
			must(t, err)
			switch n := strings.Count(string(sheet), "table:formula="); {
			case name == "control":
				found += n
			case n > 0:
				t.Errorf("%s.csv, read with a %s between cells, has %d formulas", name, sep.name, n)
			default:
				clean++
			}
		}
		if sep.name == "semicolon" {
			continue
		}
		want := readAll(t, path(sep.name+".csv"), map[string]rune{"comma": ',', "tab": '\t'}[sep.name])
		calc(t, "csv:Text - txt - csv (StarCalc):44,34,76,1", "", path(sep.name+".fods")) // In the place of the file.
		same := 0
		for i, row := range readAll(t, path(sep.name+".csv"), ',')[1:] {
			switch label := strings.ReplaceAll(want[i+1][1], "\t", ""); { // It keeps no tab in a cell.
			case row[1] != label:
				t.Errorf("%q came back as %q", label, row[1])
			case sep.name == "comma" && label == want[i+1][1] && cardcsv.Live(row[1]) != texts[i]:
				t.Errorf("the label %q came back as %q", texts[i], cardcsv.Live(row[1]))
			default:
				same++
			}
		}
		t.Logf("%-70s %d of %d", "LibreOffice: labels are the same after it saved the "+sep.name+"s", same, len(texts))
		write(sep.name+".csv", "") // The next separator reads what was exported.
		var b strings.Builder
		must(t, export.Write(&b, list, map[string]rows.Format{"comma": rows.CSV, "tab": rows.TSV}[sep.name]))
		write(sep.name+".csv", b.String())
	}
	t.Logf("%-70s %d of 6", "LibreOffice: exports without a formula, read with , ; and tabs", clean)
	if found != 3 {
		t.Errorf("it found %d of 3 formulas that there are", found)
	}
}
