package output

import (
	"bufio"
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/state/rows"
)

func tabled(s screen, n int) string {
	var out bytes.Buffer
	t := &table{out: bufio.NewWriter(&out), names: []string{"id", "label", "balance"}, screen: s}
	for i := range n {
		label := "fb/spring/01"
		if i%2 == 1 {
			label = strings.Repeat("ラベル", 20)
		}
		_ = t.Row([]rows.Cell{rows.Text("card_000001yxsfehy1dx"), rows.Text(label), {Text: "1234.50", Number: true}})
	}
	_ = t.End()
	return out.String()
}

// TestATableFitsTheTerminal, in cells, and is whole without one.
func TestATableFitsTheTerminal(t *testing.T) {
	for _, width := range []int{200, 80, 60, 40, 30, 12, 3, 1} {
		for _, line := range strings.Split(tabled(screen{width: width}, 4), "\n") {
			if got := ansi.StringWidth(line); got > width {
				t.Errorf("at %d a line has %d cells: %q", width, got, line)
			}
		}
	}
	if text := tabled(screen{width: 60}, 4); !strings.Contains(text, "1234.50") || !strings.Contains(text, "…") {
		t.Errorf("numbers are cut, or labels are not:\n%s", text)
	}
	if text := tabled(screen{}, 4); strings.Contains(text, "…") || strings.Count(text, strings.Repeat("ラベル", 20)) != 2 {
		t.Errorf("cut without a terminal:\n%s", text)
	}
	if text := tabled(screen{}, 3*settled); strings.Count(text, "\n") != 3*settled+1 || strings.Count(text, "BALANCE") != 1 {
		t.Errorf("%d lines", strings.Count(text, "\n"))
	}
	if text := tabled(screen{width: 80}, 0); text != "no results\n" {
		t.Errorf("an empty table on a terminal: %q", text)
	}
	if text := tabled(screen{}, 0); text != "" {
		t.Errorf("an empty table prints %q", text)
	}
}

// TestColumnsThatDoNotFitAreLeftOut: times before the ids of others, its own id last, and
// none that was chosen.
func TestColumnsThatDoNotFitAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		width  int
		chosen bool
		want   string
	}{
		{80, false, "ID|LABEL|CARD ID|CREATED AT"},
		{66, false, "ID|LABEL|CARD ID"},
		{44, false, "ID|LABEL"},
		{32, false, "ID|LABEL"},
		{30, false, "ID"},
		{10, false, "ID"},
		{30, true, "ID|LABEL|CARD …|CREAT…"},
		{0, false, "ID|LABEL|CARD ID|CREATED AT"},
	} {
		var out bytes.Buffer
		tab := &table{out: bufio.NewWriter(&out), names: []string{"id", "label", "card_id", "created_at"}, screen: screen{width: c.width}, chosen: c.chosen}
		_ = tab.Row([]rows.Cell{rows.Text("txn_000001yxsfehy1dx"), rows.Text("fb/spring/01"), rows.Text("card_0001"), rows.Text("2026-03-01T12:00:00Z")})
		_ = tab.End()
		head, _, _ := strings.Cut(out.String(), "\n")
		if got := strings.Join(regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(head), -1), "|"); got != c.want {
			t.Errorf("at %d, chosen %t: %s, want %s", c.width, c.chosen, got, c.want)
		}
	}
}

// TestANarrowHistorySaysWhatBecameOfIt: who did it goes before that, and what no row has
// goes first.
func TestANarrowHistorySaysWhatBecameOfIt(t *testing.T) {
	names := []string{"time", "user", "mode", "action", "name", "amount", "outcome", "error", "request_id", "via"}
	row := func(err string) []rows.Cell {
		return []rows.Cell{
			rows.Text("2026-03-01T12:00:00Z"), rows.Text("root"), rows.Text("TEST"), rows.Text("fund"), rows.Text("fb/spring/01 ••2039"),
			{Text: "25.00", Number: true},
			rows.Text("unknown"), rows.Text(err), rows.Text("req_798ffc2ad8aa0460"), rows.Text("cli"),
		}
	}
	for _, c := range []struct {
		width int
		err   string
		want  string
	}{
		{140, "", "TIME USER MODE ACTION NAME AMOUNT OUTCOME ERROR REQUEST VIA"},
		{104, "", "TIME USER MODE ACTION NAME AMOUNT OUTCOME VIA"},
		{80, "", "TIME USER MODE ACTION NAME AMOUNT OUTCOME"},
		{70, "", "TIME ACTION NAME AMOUNT OUTCOME"},
		{80, "the API does not answer", "TIME ACTION NAME AMOUNT OUTCOME ERROR"},
		{64, "the API does not answer", "TIME ACTION NAME OUTCOME ERROR"},
		{40, "the API does not answer", "TIME ACTION OUTCOME"},
	} {
		var out bytes.Buffer
		tab := &table{out: bufio.NewWriter(&out), names: names, screen: screen{width: c.width}}
		_ = tab.Row(row(c.err))
		_ = tab.End()
		head, rest, _ := strings.Cut(strings.ReplaceAll(out.String(), "REQUEST ID", "REQUEST   "), "\n")
		if got := strings.Join(strings.Fields(head), " "); got != c.want || !strings.HasPrefix(rest, "2026-03-01T12:00:00Z  ") {
			t.Errorf("at %d: %s, want %s\n%s", c.width, got, c.want, rest)
		}
	}
}

// TestALongTableBeginsAtOnce: the first rows are out before the last is there.
func TestALongTableBeginsAtOnce(t *testing.T) {
	var out bytes.Buffer
	tab := &table{out: bufio.NewWriter(&out), names: []string{"id"}}
	for range settled {
		_ = tab.Row([]rows.Cell{rows.Text("x")})
	}
	_ = tab.Flush()
	if n := strings.Count(out.String(), "\n"); n != settled+1 || len(tab.held) > 0 {
		t.Errorf("%d lines are out, %d rows held", n, len(tab.held))
	}
}

func TestColourIsForTerminalsAlone(t *testing.T) {
	if text := tabled(screen{width: 80}, 2); strings.Contains(text, "\x1b") {
		t.Errorf("colour: %q", text)
	}
	if text := tabled(screen{width: 80, colour: true}, 2); !strings.Contains(text, "\x1b[2m") {
		t.Errorf("no colour: %q", text)
	}
	if s := screenOf(&bytes.Buffer{}, false); s != (screen{}) {
		t.Errorf("a buffer is a terminal: %+v", s)
	}
}

type thing struct{ id string }

func thingFields() []rows.Field[thing] {
	return []rows.Field[thing]{
		{Name: "id", Brief: true, Cell: func(x thing) rows.Cell { return rows.Text(x.id) }},
		{Name: "list", Cell: func(thing) rows.Cell { return rows.List([]string{"a b", "c"}) }},
		{Name: "3ds", Cell: func(thing) rows.Cell { return rows.Flag(true) }},
		{Name: "none", Cell: func(thing) rows.Cell { return rows.Cell{} }},
	}
}

func TestTheFormsOfARecord(t *testing.T) {
	for _, tt := range []struct {
		flags Flags
		want  string
	}{
		{Flags{}, "ID\n=x\n=y\n"},
		{Flags{json: true}, "[\n" + `{"id":"=x","list":["a b","c"],"3ds":true,"none":null},` + "\n" + `{"id":"=y","list":["a b","c"],"3ds":true,"none":null}` + "\n]\n"},
		{Flags{jsonl: true, fields: []string{"none", "id"}}, `{"none":null,"id":"=x"}` + "\n" + `{"none":null,"id":"=y"}` + "\n"},
		{Flags{csv: true}, "id,list,3ds,none\n'=x,a b c,true,\n'=y,a b c,true,\n"},
		{Flags{template: `{id}:\t<{list}>{3ds}`}, "=x:\t<a b c>true\n=y:\t<a b c>true\n"},
		{Flags{jsonl: true, fields: []string{"none", " id"}}, `{"none":null,"id":"=x"}` + "\n" + `{"none":null,"id":"=y"}` + "\n"},
	} {
		var out bytes.Buffer
		if err := List(cli.Program{Out: &out}, tt.flags, thingFields(), []thing{{"=x"}, {"=y"}}); err != nil || out.String() != tt.want {
			t.Errorf("%+v prints\n%s, %v, want\n%s", tt.flags, out.String(), err, tt.want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAFullDiskIsAnError(t *testing.T) {
	for _, flags := range []Flags{{}, {json: true}, {jsonl: true}, {csv: true}, {template: "{id}"}} {
		if err := List(cli.Program{Out: full{}}, flags, thingFields(), []thing{{"x"}}); err == nil {
			t.Errorf("%+v: nothing is said", flags)
		}
	}
}

// TestMarkdownIsText: what a cell holds ends no cell and marks nothing up; numbers are
// aligned right.
func TestMarkdownIsText(t *testing.T) {
	var out bytes.Buffer
	m := &markdown{out: bufio.NewWriter(&out), names: []string{"id", "balance_after"}}
	for _, text := range []string{"a|b", "<b>*x*</b>", "`\\`\n_[y](z)", "1 & 2"} {
		_ = m.Row([]rows.Cell{rows.Text(text), {Text: "-1.50", Number: true}})
	}
	_ = m.Row([]rows.Cell{{}, {}})
	_ = m.End()
	want := "| id | balance after |\n|---|---:|\n| a\\|b | -1.50 |\n| \\<b\\>\\*x\\*\\</b\\> | -1.50 |\n| \\`\\\\\\` \\_\\[y\\](z) | -1.50 |\n| 1 \\& 2 | -1.50 |\n|  |  |\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	m = &markdown{out: bufio.NewWriter(&out), names: []string{"id"}}
	for range 3 * settled {
		_ = m.Row([]rows.Cell{rows.Text("x")})
	}
	_ = m.Flush()
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != 3*settled+2 {
		t.Errorf("%d lines before the end", n)
	}
	out.Reset()
	m = &markdown{out: bufio.NewWriter(&out), names: []string{"id"}}
	if _ = m.End(); out.String() != "| id |\n|---|\n" {
		t.Errorf("nothing is %q", out.String())
	}
}

// TestARecordKeepsItsID: the next command needs it. Words that say what happened stay too.
func TestARecordKeepsItsID(t *testing.T) {
	for _, c := range []struct{ names, cells, want string }{
		{
			"id network type issuer_country 3ds max_transaction max_monthly acceptance_rate", "424242 mastercard advertising US true 5000.00 50000.00 98.4",
			"ID|NETWORK|TYPE|ISSUER COUNTRY|3DS|MAX TRANSACTION",
		},
		{
			"id currency amount_crypto credited_usd status confirmations created_at", "dep_000001yxsfehy1dx eth 6.451612903225806451 19800.00 confirmed 12 2026-03-01T12:00:00Z",
			"ID|CURRENCY|AMOUNT CRYPTO|CREDITED USD|STATUS",
		},
		{
			"idempotency_key action card_id name amount begun_at", "ct-01jcv12xcty5sctdjcv12xcty5s fund card_000001yxsfehy1dx fb/spring/01 25.00 2026-03-01T12:00:00Z",
			"IDEMPOTENCY KEY|ACTION|NAME|AMOUNT",
		},
		{
			"action outcome card_id name amount after text", "fund refused card_000001yxsfehy1dx fb/spring/01 25.00 1025.00 insufficient-funds-in-the-wallet",
			"ACTION|OUTCOME|CARD ID|NAME|AMOUNT|AFTER|TEXT",
		},
	} {
		var out bytes.Buffer
		tab := &table{out: bufio.NewWriter(&out), names: strings.Fields(c.names), screen: screen{width: 80}}
		var cells []rows.Cell
		for _, text := range strings.Fields(c.cells) {
			cells = append(cells, rows.Cell{Text: text, Number: strings.Trim(text, "0123456789.") == ""})
		}
		_ = tab.Row(cells)
		_ = tab.End()
		head, line, _ := strings.Cut(out.String(), "\n")
		if got := strings.Join(regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(head), -1), "|"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if id := cells[tab.own()].Text; !strings.Contains(line, id) {
			t.Errorf("%s is not in %q", id, line)
		}
	}
}
