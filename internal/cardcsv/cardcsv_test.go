package cardcsv_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
)

func TestASheetIsRead(t *testing.T) {
	want := []cardcsv.Row{
		{Line: 2, Request: api.CreateCardRequest{
			BIN: "bin_1", Amount: 25 * api.Dollar, Label: `fb "spring", 01`, SpendingLimit: new(500 * api.Dollar),
			AllowedCategories: []string{"7311", "5734"}, AutoFreezeAt: new(5 * api.Dollar), Metadata: map[string]string{"Team": "a"},
		}},
		{Line: 4, Request: api.CreateCardRequest{BIN: "bin_2", Amount: 12*api.Dollar + 50*api.Cent}},
	}
	for name, text := range map[string]string{
		"plain": "bin_id,amount,label,spending_limit,allowed_categories,auto_freeze_at,metadata.Team\n" +
			"bin_1,25,\"fb \"\"spring\"\", 01\",500,7311;5734,5,a\n\nbin_2,12.50,,,,,\n",
		"BOM, CRLF, blanks and capitals": "\ufeffBIN_ID , Amount,Label,spending_limit,allowed_categories,auto_freeze_at,Metadata.Team\r\n" +
			"bin_1, 25 ,\"fb \"\"spring\"\", 01\", 500,\"7311, 5734\",5, a\r\n,,,,,,\r\nbin_2,12.50,,,,,",
		"semicolons": "bin_id;amount;label;spending_limit;allowed_categories;auto_freeze_at;metadata.Team\n" +
			"bin_1;25;\"fb \"\"spring\"\", 01\";500;7311 5734;5;a\n\nbin_2;12.50;;;;;\n",
	} {
		s := cardcsv.Read(nil, []byte(text))
		if len(s.Problems) > 0 || !reflect.DeepEqual(s.Rows, want) {
			t.Errorf("%s: %+v, %v", name, s.Rows, s.Problems)
		}
	}
}

func TestASheetSaysWhatIsWrongWithWhichLine(t *testing.T) {
	const head = "bin_id,amount,label\n"
	const allowed = ": bin_id, amount, label, spending_limit, auto_freeze_at, allowed_categories; metadata is written metadata.team"
	for text, want := range map[string]string{
		"":                             "1: the file has no header: bin_id,amount,label",
		"bin_id,amount":                "1: the file holds no card",
		"bin_id,label\nb,l":            "1: amount: the column is missing",
		"bin_id,amount,lable\nb,1,l":   `1: the column "lable" is not known` + allowed,
		"bin_id,amount,metadata.\nb,1": `1: the column "metadata." is not known` + allowed + "|2: has 2 fields, the header 3",
		"bin_id,amount,team\nb,x,l":    `1: the column "team" is not known` + allowed + `|2: amount: "x" is no amount: write it such as 1250.00`,
		"bin_id,amount,amount\nb,1,1":  `1: amount: stands twice`,
		"\xff\xfeb\x00":                "1: the file is UTF-16: save it as CSV UTF-8",
		head + "b,1":                   "2: has 2 fields, the header 3",
		head + "b,1,l,m":               "2: has 4 fields, the header 3",
		head + "b,,l":                  "2: amount: is missing",
		head + ",,l":                   "2: bin_id: is missing|2: amount: is missing",
		head + "b,1,l\nb,x,l\n\nb,$5,": `3: amount: "x" is no amount: write it such as 1250.00|5: amount: "$5" is no amount: write it such as 1250.00`,
		head + "b,\"1,000\",l":         `2: amount: "1,000" is no amount: write it such as 1250.00`,
		head + "b,1,a\"b\nb,y,l":       `2: a quote within a field: write the field in quotes and the quote twice|3: amount: "y" is no amount: write it such as 1250.00`,
		head + "b,1,\"a\nb,1,l":        "2: a quote is not closed",
		head + "b,1\x1b[2J,l":          `2: amount: "1" is no amount: write it such as 1250.00`,
	} {
		s := cardcsv.Read(nil, []byte(text))
		var got []string
		for _, p := range s.Problems {
			if p.Column != "" {
				p.Text = p.Column + ": " + p.Text
			}
			got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Text))
		}
		if joined := strings.Join(got, "|"); joined != want {
			t.Errorf("%q: %q, want %q", text, joined, want)
		}
	}
}

func FuzzReadSheet(f *testing.F) {
	f.Add([]byte("bin_id,amount,label\nb,1,l\n"))
	f.Add([]byte("\ufeffbin_id;amount;metadata.x\r\n\"b\";1e2;\"\"\"\"\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := cardcsv.Read(nil, data)
		if len(s.Rows) == 0 && len(s.Problems) == 0 {
			t.Error("neither cards nor a problem")
		}
		for _, p := range s.Problems {
			if strings.ContainsAny(p.Text, "\x1b\n") || p.Line < 1 {
				t.Errorf("%+v", p)
			}
		}
		for _, r := range s.Rows {
			if r.Request.BIN == "" {
				t.Errorf("%+v", r)
			}
		}
	})
}
