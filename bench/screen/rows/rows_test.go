package rows

import (
	"path/filepath"
	"reflect"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	all := [][]string{{"fb/brand", "•••• 0240", "active", "visa", "350.00", "0.00", "–", "card_1"}, {"Sn/Launch", "•••• 1", "frozen", "visa", "1.00", "0.00", "–", "card_2"}}
	file := filepath.Join(t.TempDir(), "cards.tsv")
	if err := Write(file, all, false); err != nil {
		t.Fatal(err)
	}
	got, err := Read(file)
	if err != nil || !reflect.DeepEqual(got, all) {
		t.Errorf("read %q, %v", got, err)
	}
	if kept := Filter(got, "sn/la"); len(kept) != 1 || kept[0][7] != "card_2" {
		t.Errorf("the filter keeps %q", kept)
	}
}

// TestALineIsAsWideAsItsColumns holds that rows of any text are aligned.
func TestALineIsAsWideAsItsColumns(t *testing.T) {
	t.Parallel()
	want := 0
	for _, w := range Widths() {
		want += w
	}
	row := []string{"a label of more than thirty characters", "•••• 0240", "", "", "", "", "", "id"}
	if got := len([]rune(Line(row))); got != want {
		t.Errorf("%d characters, want %d", got, want)
	}
}
