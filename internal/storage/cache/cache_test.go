package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/settings"
)

// taken is when the snapshots of the tests were.
func taken() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC) }

// account makes an account of a key.
// every asks for all cards at once.
const every = math.MaxInt

func account(key string) Account {
	return Account{Origin: "https://api.example.com:443", Mode: "TEST", Key: api.NewAPIKey(key)}
}

const testKey = "sk_test_MARKERcache0123456789"

// sample is a snapshot as an account of some size leaves it.
func sample(cards, transactions int) state.Snapshot {
	at := taken()
	s := state.Snapshot{
		At: at, CardsAt: at.Add(-time.Minute), WalletAt: at.Add(-time.Second), FeedAt: at, DepositsAt: at, SeenTo: at.Add(-time.Second),
		Wallet:   api.Wallet{Balance: 12_480_220_000, Currency: "USD", PendingDeposits: new(250 * api.Dollar)},
		Deposits: []api.Deposit{{ID: "dep_1", Currency: api.BTC, Status: api.DepositPending, AmountCrypto: "0.05", Confirmations: new(2), CreatedAt: at}},
	}
	s.Total = cards
	for i := range cards {
		s.Cards.Add(cardlist.Card{
			ID: api.CardID(fmt.Sprintf("card_%020d", i)), BIN: "bin_4567", Network: "visa", Last4: api.Text(fmt.Sprintf("%04d", i%10000)),
			Label: api.Text(fmt.Sprintf("fb/spring/%05d", i)), Status: api.CardActive, Balance: api.USD(i) * api.Cent,
			CreatedAt: at.Add(-time.Duration(i) * time.Hour), LastUsed: at.Add(-time.Duration(i) * time.Second),
		})
	}
	for i := range transactions {
		s.Transactions = append(s.Transactions, api.Transaction{
			ID: api.TransactionID(fmt.Sprintf("txn_%020d", i)), CardID: s.Cards.At(i * 7 % cards).ID, Type: api.TransactionSettlement,
			Amount: -api.USD(i) * api.Cent, Currency: "USD", BalanceAfter: new(api.USD(i) * api.Cent),
			Merchant:  api.Merchant{Name: api.Text(fmt.Sprintf("Merchant %d", i%40)), Category: "advertising", MCC: "7311", Country: "US"},
			CreatedAt: at.Add(time.Duration(i-transactions) * time.Second),
		})
	}
	return s
}

// fill sets every exported field below v to something else.
func fill(tb testing.TB, v reflect.Value, n *int) {
	tb.Helper()
	*n++
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(taken().Add(time.Duration(*n) * time.Nanosecond)))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(tb, v.Field(i), n)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(tb, v.Index(0), n)
		fill(tb, v.Index(1), n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(tb, v.Elem(), n)
	case reflect.String:
		v.SetString(fmt.Sprintf("text-%d", *n))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(-*n))
	case reflect.Bool:
		v.SetBool(true)
	default:
		tb.Fatalf("a %s cannot be filled", v.Type())
	}
}

func everything(tb testing.TB) state.Snapshot {
	tb.Helper()
	var s state.Snapshot
	n := 0
	fill(tb, reflect.ValueOf(&s).Elem(), &n)
	s.Order, s.Total = nil, 2
	for range 2 {
		var c cardlist.Card
		fill(tb, reflect.ValueOf(&c).Elem(), &n)
		// Not kept: they are added up and read anew, and every card of a cache is cached.
		c.Spent24h, c.Month, c.Limit, c.Cached, c.Expired = 0, 0, 0, false, false
		c.Last4 = api.Text(fmt.Sprintf("%04d", n)) // Longer ones are cut.
		s.Cards.Add(c)
	}
	return s
}

func TestWhatIsSavedIsLoadedAgain(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]state.Snapshot{
		"everything": everything(t), "nothing": {At: taken()}, "an account": sample(1000, 2000),
		"figures of nothing": {At: taken(), WalletAt: taken(), Wallet: api.Wallet{PendingDeposits: new(api.USD(0)), CardsActive: new(0)}},
	} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		must(t, Open(dir, account(testKey)).Save(want))
		got, _, err := Open(dir, account(testKey)).Load(taken().Add(time.Hour), every)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, want)
		}
	}
}

// TestARowReadAgainIsTheSame holds that a transaction of the API equals the
// same one of the cache, also as Go's == does.
// TestTheRestFollowsInOrder saves cards in the order of a list and reads them
// piece by piece.
func TestTheRestFollowsInOrder(t *testing.T) {
	t.Parallel()
	want := sample(10, 0)
	want.Order = []int32{9, 1, 8, 2, 7, 3, 6, 4, 5, 0}
	c := Open(t.TempDir(), account(testKey))
	must(t, c.Save(want))
	for _, n := range []int{0, 1, 3, 9, 10, 11} {
		snap, rest, err := c.Load(taken(), n)
		if err != nil || snap.Total != 10 || snap.Cards.Len() != min(n, 10) {
			t.Fatalf("%d first: %d of %d, %v", n, snap.Cards.Len(), snap.Total, err)
		}
		var ids []api.CardID
		for _, card := range snap.Cards.All() {
			ids = append(ids, card.ID)
		}
		for more := true; more; {
			var cards cardlist.List
			cards, more = rest.Next(4)
			for _, card := range cards.All() {
				ids = append(ids, card.ID)
			}
		}
		for i, id := range ids {
			if id != want.Cards.ID(int(want.Order[i])) || len(ids) != 10 {
				t.Fatalf("%d first: %v", n, ids)
			}
		}
	}
}

func TestARowReadAgainIsTheSame(t *testing.T) {
	t.Parallel()
	var row api.Transaction
	must(t, row.UnmarshalJSON([]byte(`{"id":"txn_1","card_id":"card_1","type":"decline","amount":-1.5,"created_at":"2026-03-01T11:00:00.25+02:00"}`)))
	c := Open(t.TempDir(), account(testKey))
	got, _, err := c.unpack(c.pack(state.Snapshot{At: taken(), Transactions: []api.Transaction{row}}), taken(), every)
	if err != nil || got.Transactions[0] != row {
		t.Errorf("%+v is read as %+v, %v", row, got.Transactions, err)
	}
}

// TestTheRecordsAreThoseOfTheVersion fails when what a file holds changes: the
// version in magic has to be raised then, and the digest replaced.
func TestTheRecordsAreThoseOfTheVersion(t *testing.T) {
	t.Parallel()
	s := everything(t)
	w := newWriter([]byte(magic))
	snapshot(w, &s)
	writeCards(w, &s)
	sum := sha256.Sum256(w.out)
	if got := hex.EncodeToString(sum[:8]); got != "89142cb7218b19c8" {
		t.Errorf("the records of version %q have the digest %s", magic, got)
	}
}

func TestWhatIsNoCache(t *testing.T) {
	t.Parallel()
	good := Open("", account(testKey)).pack(sample(3, 5))
	other := func(change func(*Account)) []byte {
		a := account(testKey)
		change(&a)
		return Open("", a).pack(sample(3, 5))
	}
	edit := func(at int, b byte) []byte {
		data := bytes.Clone(good)
		data[at] ^= b
		return data
	}
	for _, tt := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, ErrDamaged},
		{"something else", []byte("{\"cards\": []}"), ErrDamaged},
		{"another version", append([]byte("cardtop cache 1\n"), good[len(magic):]...), ErrVersion},
		{"a later version", append([]byte("cardtop cache 12\n"), good[len(magic):]...), format.ErrNewer},
		{"another key", other(func(a *Account) { a.Key = api.NewAPIKey("sk_test_other") }), ErrAccount},
		{"another server", other(func(a *Account) { a.Origin = "https://b.example.com:443" }), ErrAccount},
		{"another mode", other(func(a *Account) { a.Mode = "LIVE" }), ErrAccount},
		{"a flipped bit of the seal", edit(len(magic)+tagSize+3, 1), ErrDamaged},
		{"a flipped bit of a record", edit(len(good)-9, 4), ErrDamaged},
		{"more behind", append(bytes.Clone(good), 0), ErrDamaged},
		{"from the future", Open("", account(testKey)).pack(state.Snapshot{At: taken().Add(61 * time.Second)}), ErrFuture},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, tt.data, 0o600)
			refuses(t, dir, tt.want)
		})
	}
	t.Run("cut anywhere", func(t *testing.T) {
		t.Parallel()
		c := Open("", account(testKey))
		for n := range good {
			if _, _, err := c.unpack(good[:n], taken(), every); err == nil {
				t.Fatalf("%d bytes of %d are taken", n, len(good))
			}
		}
	})
	t.Run("set back a little", func(t *testing.T) {
		t.Parallel()
		if _, _, err := Open("", account(testKey)).unpack(good, taken().Add(-50*time.Second), every); err != nil {
			t.Error(err)
		}
	})
}

func TestAFileThatIsNotTheUsersAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("owner and mode are those of Unix")
	}
	good := Open("", account(testKey)).pack(sample(3, 5))
	t.Run("readable", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		put(t, dir, good, 0o644)
		refuses(t, dir, ErrShared)
	})
	for name, spoil := range map[string]func(path string) error{
		"writable": func(path string) error { return os.Chmod(path, 0o666) },
		"link":     func(path string) error { return errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)) },
		"foreign": func(path string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(path, 0o666)
			}
			return os.Chown(path, 65534, 65534)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, good, 0o600)
			must(t, spoil(filepath.Join(dir, fileName)))
			refuses(t, dir, nil)
		})
	}
	t.Run("huge", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		put(t, dir, good, 0o600)
		must(t, os.Truncate(filepath.Join(dir, fileName), maxFile+1))
		refuses(t, dir, nil)
	})
}

// refuses checks that the file is no cache, says so without content, and is
// replaced by the next save.
func refuses(t *testing.T, dir string, want error) {
	t.Helper()
	c := Open(dir, account(testKey))
	snap, _, err := c.Load(taken(), every)
	if err == nil || want != nil && !errors.Is(err, want) || !reflect.ValueOf(snap).IsZero() {
		t.Fatalf("Load = %+v, %v", snap, err)
	}
	if strings.Contains(err.Error(), "fb/") || strings.Contains(err.Error(), "\n") {
		t.Errorf("it is told with content: %v", err)
	}
	before, _ := os.ReadFile(filepath.Join(dir, fileName))
	err = c.Save(sample(2, 1))
	if errors.Is(want, format.ErrNewer) {
		after, rerr := os.ReadFile(filepath.Join(dir, fileName))
		if !errors.Is(err, format.ErrNewer) || rerr != nil || !bytes.Equal(before, after) {
			t.Errorf("a newer program's file is replaced: %v, %v", err, rerr)
		}
		return
	}
	must(t, err)
	snap, _, err = c.Load(taken(), every)
	if err != nil || snap.Cards.Len() != 2 {
		t.Errorf("after a save: %d cards, %v", snap.Cards.Len(), err)
	}
	for path, mode := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, fileName): 0o600} {
		if info, err := os.Lstat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

func put(t *testing.T, dir string, data []byte, mode fs.FileMode) {
	t.Helper()
	path := filepath.Join(dir, fileName)
	must(t, errors.Join(os.WriteFile(path, data, 0o600), os.Chmod(path, mode)))
}

func TestNoFileIsNoProblem(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	if _, _, err := Open(dir, account(testKey)).Load(taken(), every); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load = %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made by looking: %v", err)
	}
}

func TestASaveThatCannotBeDone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	must(t, os.WriteFile(file, nil, 0o600))
	if err := Open(filepath.Join(file, "below"), account(testKey)).Save(sample(1, 1)); err == nil {
		t.Error("saved below a file")
	}
	large := state.Snapshot{At: taken()}
	for range 300 {
		large.Cards.Add(cardlist.Card{ID: "card_1", Label: api.Text(strings.Repeat("x", 64<<10))})
	}
	if err := Open(dir, account(testKey)).Save(large); !errors.Is(err, ErrLarge) {
		t.Errorf("a large one: %v", err)
	}
}

// TestTextFromAFileIsSanitised writes what no run would, with the key.
func TestTextFromAFileIsSanitised(t *testing.T) {
	t.Parallel()
	const evil = "a\x1b]0;owned\x07b\x1b[2J\u202ec\nd"
	s := sample(1, 1)
	s.Cards = cardlist.ListOf(cardlist.Card{ID: "card_1", Label: evil, Status: evil, Last4: evil, BIN: evil})
	s.Wallet.Currency, s.Deposits[0].TxHash, s.Deposits[0].AmountCrypto = evil, evil, evil
	s.Transactions[0].Merchant = api.Merchant{Name: evil, Category: evil, MCC: evil, Country: evil}
	s.Transactions[0].Type = evil
	c := Open("", account(testKey))
	got, _, err := c.unpack(c.pack(s), taken(), every)
	must(t, err)
	if text := fmt.Sprintf("%+v", got); strings.ContainsAny(text, "\x1b\x07\n\u202e") || got.Cards.At(0).Label != "abc d" {
		t.Errorf("%q", text)
	}
	s.Cards = cardlist.ListOf(cardlist.Card{ID: evil})
	if _, _, err := c.unpack(c.pack(s), taken(), every); !errors.Is(err, ErrDamaged) {
		t.Errorf("an identifier that is none: %v", err)
	}
}

// TestNothingSecretHasAPlace looks through the types of what is kept.
func TestNothingSecretHasAPlace(t *testing.T) {
	t.Parallel()
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, path string) {
		switch typ {
		case reflect.TypeFor[api.Secret](), reflect.TypeFor[api.IdempotencyKey](), reflect.TypeFor[api.ChallengeID](), reflect.TypeFor[api.WebhookID]():
			t.Errorf("%s is a %s", path, typ)
			return
		case reflect.TypeFor[time.Time](), reflect.TypeFor[cardlist.Last4]():
			return
		}
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				walk(typ.Field(i).Type, path+"."+typ.Field(i).Name)
			}
		case reflect.Slice, reflect.Array, reflect.Pointer:
			walk(typ.Elem(), path)
		case reflect.String, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64, reflect.Bool:
		default:
			t.Errorf("%s is a %s, which is not plain", path, typ)
		}
	}
	walk(reflect.TypeFor[state.Snapshot](), "Snapshot")
	walk(reflect.TypeFor[cardlist.Card](), "Card")
	data := Open("", account(testKey)).pack(sample(3, 3))
	if bytes.Contains(data, []byte(testKey)) || bytes.Contains(data, []byte(testKey[8:])) {
		t.Error("the key is in the file")
	}
}

// FuzzDecode holds that no bytes crash the decoder or the store that recalls
// what it read, and that what it takes is stable and clean.
func FuzzDecode(f *testing.F) {
	for _, s := range []state.Snapshot{everything(f), sample(2, 3), {}} {
		w := newWriter(nil)
		snapshot(w, &s)
		writeCards(w, &s)
		f.Add(w.out)
	}
	f.Add(bytes.Repeat([]byte{0xff}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Open("", account(testKey))
		if _, _, err := c.unpack(data, taken(), every); err == nil {
			t.Fatal("bytes without a seal are taken")
		}
		snap, _, err := decode(string(data), every)
		if err != nil {
			return
		}
		for _, card := range snap.Cards.All() {
			if string(api.Clean(string(card.Label))) != string(card.Label) || strings.ContainsRune(string(card.Label), 0x1b) {
				t.Fatalf("label %q", card.Label)
			}
		}
		w := newWriter(nil)
		snapshot(w, &snap)
		writeCards(w, &snap)
		again, _, err := decode(string(w.out), every)
		if err != nil || !reflect.DeepEqual(again, snap) {
			t.Fatalf("%v\n got %+v\nwant %+v", err, again, snap)
		}
		s := state.New(settings.Config{})
		s.Recall(snap)
		s.Tick(taken())
		s.Snapshot()
	})
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// TestTheNewestSnapshotStays saves many at once, in any order.
func TestTheNewestSnapshotStays(t *testing.T) {
	t.Parallel()
	c := Open(t.TempDir(), account(testKey))
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			snap := sample(i+1, 1)
			snap.At = taken().Add(time.Duration(i) * time.Millisecond)
			if err := c.Save(snap); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, _, err := c.Load(taken(), every); err != nil || got.Cards.Len() != 20 {
		t.Errorf("%d cards, %v", got.Cards.Len(), err)
	}
}
