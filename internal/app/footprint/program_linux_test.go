package footprint

import (
	"encoding/binary"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestOnlyWhatIsReadOfTheProgramIsReleased(t *testing.T) {
	t.Parallel()
	maps := `00400000-00ecf000 r-xp 00000000 fe:00 9978416                            /opt/a b/cardtop
00ecf000-018fb000 r--p 00acf000 fe:00 9978416                            /opt/a b/cardtop
018fb000-019e2000 rw-p 014fb000 fe:00 9978416                            /opt/a b/cardtop
019e2000-03c51000 rw-p 00000000 00:00 0
7f1000000000-7f1000001000 r--p 00000000 fe:00 5                          /usr/share/zoneinfo/UTC
7ffe3311e000-7ffe33120000 r-xp 00000000 00:00 0                          [vdso]
broken
`
	want := []addresses{{0x400000, 0xecf000}, {0xecf000, 0x18fb000}}
	if got := programRanges([]byte(maps), "/opt/a b/cardtop"); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// TestOnlyWhatIsLoadedWhereItWasLinkedIsReleased: the tables of another were written to.
func TestOnlyWhatIsLoadedWhereItWasLinkedIsReleased(t *testing.T) {
	t.Parallel()
	head := func(magic string, kind uint16) string {
		return string(binary.NativeEndian.AppendUint16(append([]byte(magic), make([]byte, elfTypeAt-len(magic))...), kind))
	}
	for text, want := range map[string]bool{head(elfMagic, 2): true, head(elfMagic, 3): false, head("#!/b", 2): false} {
		if got, err := atFixedAddress(strings.NewReader(text)); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if got, err := atFixedAddress(strings.NewReader(elfMagic)); err == nil || got {
		t.Errorf("half a program: %v, %v", got, err)
	}
}

// TestReleasedPagesComeBack is of this test's own program, which goes on to run.
func TestReleasedPagesComeBack(t *testing.T) {
	before := fileBacked(t)
	if err := releaseProgram(); err != nil {
		t.Fatal(err)
	}
	fixed, err := selfAtFixedAddress()
	if err != nil {
		t.Fatal(err)
	}
	if after := fileBacked(t); fixed && after >= before {
		t.Errorf("%d KiB of files were mapped, and are %d", before, after)
	}
	giveBack()
}

// fileBacked is how much of files is in this process's memory, KiB.
func fileBacked(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
