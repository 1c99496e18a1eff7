package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state/cardlist"
)

// An Identity is what is known of whose account a key reaches.
type Identity string

// What a user says of a key that is new here.
const (
	SameAccount  Identity = "same"  // It reaches the account that the profile had before.
	OtherAccount Identity = "other" // It reaches another one.
)

// UnknownAccountError is that a key is new here and nothing shows whether it reaches the account whose files
// are here.
type UnknownAccountError struct {
	Profile string
	// Before is the profile that opened the files.
	Before string
	// Reason is why it cannot be found out.
	Reason string
	// Earlier reports whether it is about an account before one that the user ruled out.
	Earlier bool
	// Shows is what that account shows: a card, or a deposit address; empty when neither is known.
	Shows string
}

// until says which of the accounts of a profile is meant. Who has several tells them apart by what they show.
func (e *UnknownAccountError) until() string {
	when := "until now"
	if e.Earlier {
		when = "before that"
	}
	if e.Shows != "" {
		when += ", with " + e.Shows
	}
	return when
}

// Error says what to do, in one line.
func (e *UnknownAccountError) Error() string {
	return fmt.Sprintf("the key of %s was not used here before, and %s: run cardtop account same if it reaches the account that %s had %s, or cardtop account other if it reaches another one",
		e.Profile, e.Reason, e.Before, e.until())
}

// askUser asks at a terminal what nothing else shows; without one the question is the error.
func (p Program) askUser(unknown *UnknownAccountError) (same bool, err error) {
	if p.Ask == nil {
		return false, unknown
	}
	return p.Ask(fmt.Sprintf("The key of %s was not used here before, and %s.\nDoes it reach the account that %s had %s?",
		unknown.Profile, unknown.Reason, unknown.Before, unknown.until()))
}

// registry returns where the folders of accounts are.
func registry(paths config.Paths) accounts.Registry {
	return accounts.Registry{State: paths.State, Cache: paths.Cache}
}

func login(run config.Resolved, mode config.Mode, key api.APIKey) accounts.Login {
	return accounts.Login{Profile: profileName(run), Mode: string(mode), BaseURL: run.BaseURL, Key: key}
}

// findFolder returns the folder of an account for a program that writes. A key that is new here is asked
// whose it is: the account shows a card or a deposit address that the files know, or does not have the cards
// that they know. Where neither is so, nothing of either account may be sent or counted as the other's: the
// error is an UnknownAccountError. A run that writes nothing does without a folder where none can be made.
func (p Program) findFolder(ctx context.Context, paths config.Paths, run config.Resolved, acc account) (accounts.Folder, error) {
	if run.Sandbox {
		return accounts.Folder{}, nil
	}
	reg, l := registry(paths), login(run, acc.mode, acc.cfg.Key)
	for {
		if f, ok, err := reg.Open(l); ok || err != nil {
			return f, err
		}
		candidates, err := reg.Candidates(l)
		if err != nil {
			return accounts.Folder{}, err
		}
		its, err := p.reached(ctx, reg, run, acc, l, candidates, func(_ accounts.Folder, unknown *UnknownAccountError) (bool, error) { return p.askUser(unknown) })
		if err != nil {
			return accounts.Folder{}, err
		}
		switch f, ok, err := reg.Settle(l, candidates, its); {
		case (run.ReadOnly || run.DryRun) && fsafe.Unwritable(err):
			return accounts.Folder{}, nil
		case ok || err != nil:
			return f, unrecorded(err)
		}
	}
}

// reached returns the candidate that the key of a login reaches; nil for none of them. told says whether it is one of which
// nothing shows that.
func (p Program) reached(
	ctx context.Context, reg accounts.Registry, run config.Resolved, acc account, l accounts.Login, candidates []accounts.Folder,
	told func(accounts.Folder, *UnknownAccountError) (bool, error),
) (*accounts.Folder, error) {
	type question struct {
		of         accounts.Folder
		why, shows string
	}
	var ask *prober
	var open []question
	earlier, err := reg.Excluded(l)
	if err != nil {
		return nil, err
	}
	for _, f := range candidates {
		known, err := knownOf(f)
		if err != nil {
			return nil, err
		}
		if known.nothing && (!f.Recorded() || f.Opened(l)) {
			return &f, nil
		}
		if ask == nil {
			if ask, err = p.newProber(run, acc); err != nil {
				return nil, err
			}
			defer ask.close()
		}
		same, err := ask.reaches(ctx, known)
		if ctx.Err() != nil { // What was not read in time shows nothing.
			return nil, ctx.Err()
		}
		if errors.Is(err, api.ErrUnauthorized) {
			return nil, err
		}
		if err != nil { // Another program may have found it out since.
			if f, ok, again := reg.Find(l); ok && again == nil {
				return &f, nil
			}
			open = append(open, question{f, oneLine(err), known.shows()})
		} else if same {
			return &f, nil
		}
	}
	for _, q := range open { // None of them is shown to be it.
		same, err := told(q.of, &UnknownAccountError{Profile: profileName(run), Before: q.of.Profile(), Reason: q.why, Earlier: earlier, Shows: q.shows})
		if err != nil {
			return nil, err
		}
		if same {
			return &q.of, nil
		}
		earlier = true
	}
	return nil, nil
}

// forgetRefused forgets a key that the API refused from the start: nothing is known of its account, and the right key
// is not to be asked about whether it reaches the same. It returns the error of the run.
func (p Program) forgetRefused(paths config.Paths, run config.Resolved, acc account, err error) error {
	if run.Sandbox || acc.folder.State == "" || !errors.Is(err, api.ErrUnauthorized) {
		return err
	}
	known, unread := knownOf(acc.folder)
	if unread != nil || !known.nothing {
		return errors.Join(err, unread)
	}
	return errors.Join(err, registry(paths).Forget(login(run, acc.mode, acc.cfg.Key)))
}

// FindFolder returns the folder for the state of the account that a key reaches, as a program finds it that
// writes.
func (p Program) FindFolder(ctx context.Context, paths config.Paths, run config.Resolved, key config.Key) (string, error) {
	acc, err := p.accountOf(run, key)
	if err != nil {
		return "", err
	}
	f, err := p.findFolder(ctx, paths, run, acc)
	return f.State, err
}

// Folders returns the folders of the accounts that a profile opened, of live keys first, for programs that
// need no key. A key in the environment says which account is meant; of one that was not used here before
// nothing is known, so all are returned, and it is said that they may be of another account.
func (p Program) Folders(paths config.Paths, run config.Resolved) ([]accounts.Folder, error) {
	all, err := p.folders(paths, run)
	if l := login(run, run.Mode(p.Env.APIKey), p.Env.APIKey); !l.Key.IsZero() {
		if i := slices.IndexFunc(all, accounts.Folder.Recorded); i >= 0 && !all[i].Opened(l) {
			p.Say("the key in " + config.EnvAPIKey + " was not used here before: this is of the keys that were, perhaps of another account")
		}
	}
	return all, err
}

// folders is Folders without a word, for completion and doctor.
func (p Program) folders(paths config.Paths, run config.Resolved) ([]accounts.Folder, error) {
	modes := []config.Mode{config.ModeLive, config.ModeTest}
	if key := p.Env.APIKey; !key.IsZero() {
		modes = []config.Mode{run.Mode(key)}
		if f, ok, err := registry(paths).Find(login(run, modes[0], key)); ok || err != nil {
			return []accounts.Folder{f}, err
		}
	}
	var all []accounts.Folder
	for _, mode := range modes {
		some, err := registry(paths).Named(profileName(run), string(mode), run.BaseURL)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// seenFolder returns the folder of an account for a program that writes nothing: without asking anything, so
// that a key whose account is not known yet reads all the same, and stores nothing.
func seenFolder(paths config.Paths, run config.Resolved, acc account) (accounts.Folder, error) {
	if run.Sandbox {
		return accounts.Folder{}, nil
	}
	reg, l := registry(paths), login(run, acc.mode, acc.cfg.Key)
	if f, ok, err := reg.Find(l); ok || err != nil {
		return f, err
	}
	if candidates, err := reg.Candidates(l); err != nil || len(candidates) > 0 {
		return accounts.Folder{}, err
	}
	f, _, err := reg.Settle(l, nil, nil)
	if fsafe.Unwritable(err) {
		return accounts.Folder{}, nil
	}
	return f, err
}

// SetIdentity records what the user says of the key of an account.
func (p Program) SetIdentity(ctx context.Context, flags config.Flags, said Identity) (profile string, err error) {
	paths, run, err := p.Resolve(flags)
	if err != nil {
		return "", err
	}
	if run.Sandbox {
		return "", Usage(errors.New("no account: set " + config.EnvAPIKey + " or a profile"))
	}
	acc, err := p.openAccount(ctx, run, config.NewKeyStore().AtTerminal(), func(error) {})
	if err != nil {
		return "", err
	}
	defer acc.close()
	reg, l := registry(paths), login(run, acc.mode, acc.cfg.Key)
	if f, ok, err := reg.Find(l); err != nil {
		return "", err
	} else if ok {
		return "", fmt.Errorf("the key of %s is known: it reaches the account whose files are in %s", l.Profile, f.State)
	}
	candidates, err := reg.Candidates(l)
	if err != nil {
		return "", err
	}
	if len(candidates) == 0 && said == SameAccount {
		return "", fmt.Errorf("%s had no account here before: the next start makes its files", l.Profile)
	}
	var its *accounts.Folder
	if said == SameAccount || len(candidates) > 1 { // Else no other is left.
		if its, err = p.reached(ctx, reg, run, acc, l, candidates, answers(reg, l, said)); err != nil {
			return "", err
		}
	}
	if its == nil && said == SameAccount {
		return "", fmt.Errorf("the key of %s reaches none of the accounts here, by their cards: run cardtop account other", l.Profile)
	}
	if candidates, err = reg.Candidates(l); err != nil { // Without the one that was ruled out.
		return "", err
	}
	if _, ok, err := reg.Settle(l, candidates, its); err != nil || ok {
		return l.Profile, err
	}
	return "", errors.New("another program has just recorded an account at this address: run this again")
}

// answers returns what a user says of the account that the error named: the first that the API does not rule out. An
// earlier one that it does not rule out either is a question of its own.
func answers(reg accounts.Registry, l accounts.Login, said Identity) func(accounts.Folder, *UnknownAccountError) (bool, error) {
	answered := false
	return func(f accounts.Folder, unknown *UnknownAccountError) (bool, error) {
		switch {
		case said == SameAccount:
			return true, nil
		case answered:
			return false, unknown
		}
		if answered = true; !f.Recorded() {
			return false, nil
		}
		return false, reg.Exclude(l, f)
	}
}

// known is what the files of an account know of it.
type known struct {
	cards   []api.CardID // The latest first.
	name    string       // The label and the last digits of one of them.
	pins    []string     // Deposit addresses.
	nothing bool         // The files hold nothing that one account may not have of another.
}

// shows is what a user may tell the account by; empty for nothing.
func (k *known) shows() string {
	switch {
	case k.name != "":
		return "the card " + k.name
	case len(k.pins) > 0:
		return "the deposit address " + k.pins[0]
	}
	return ""
}

// asked bounds the cards that a new key is asked for.
const asked = 3

// knownOf reads what the files of an account know.
func knownOf(f accounts.Folder) (known, error) {
	var k known
	add := func(id api.CardID) {
		if id != "" && !slices.Contains(k.cards, id) && len(k.cards) < asked {
			k.cards = append(k.cards, id)
		}
	}
	ops, err := journal.ReadUnderWay(f.State)
	if err != nil {
		return known{}, err
	}
	for _, op := range ops {
		add(op.Card)
	}
	log, err := history.Open(history.Config{Dir: f.State})
	if err != nil {
		return known{}, err
	}
	records, err := log.Load(100)
	if err != nil {
		return known{}, err
	}
	for _, r := range slices.Backward(records) {
		add(r.Card)
		k.name = cmp.Or(k.name, r.Name)
	}
	names, err := cache.ReadNames(f.Cache)
	if err == nil { // A cache that cannot be read is none.
		for _, c := range names.Cards {
			add(c.ID)
			k.name = cmp.Or(k.name, cardlist.Name(c.Label, c.Last4))
		}
	}
	pins, err := addresses.Open(f.State).Load()
	if err != nil {
		return known{}, err
	}
	for _, p := range pins {
		k.pins = append(k.pins, string(p.Address))
	}
	k.nothing, err = holdsNothing(f.State)
	k.nothing = k.nothing && len(ops)+len(records)+len(k.cards)+len(k.pins) == 0
	return k, err
}

// holdsNothing reports whether the files of a folder are those that any account may have: its name and its
// keys, the views of lists, locks, and a history without records.
func holdsNothing(dir string) (nothing bool, err error) {
	nothing = true
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name := strings.TrimPrefix(e.Name(), ".") // One that a kill left unfinished.
		if name != "views.json" && name != "history.jsonl" && filepath.Ext(name) != ".lock" && !strings.HasPrefix(name, "account.") {
			nothing = false
			return fs.SkipAll
		}
		return nil
	})
	return nothing, err
}

// prober asks the API what a new key reaches.
type prober struct {
	client *client.Client
	count  func()
}

func (p Program) newProber(run config.Resolved, acc account) (*prober, error) {
	cfg := acc.cfg
	cfg.UserAgent, cfg.ReadOnly, cfg.NoDetails = UserAgent(), true, true
	c, err := client.New(cfg)
	if err != nil {
		return nil, Usage(err)
	}
	return &prober{client: c, count: func() {
		// A request that cannot be counted is one of at most five.
		_ = p.countOne(run.Origin.String(), acc.cfg.Key)
	}}, nil
}

func (a *prober) close() { a.client.ResetConnections() }

func forbidden(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Status == http.StatusForbidden
}

// reaches reports whether the key of the client reaches the account that k is known of. The error says why
// that cannot be found out.
func (a *prober) reaches(ctx context.Context, k known) (bool, error) {
	missing := 0
	for _, id := range k.cards {
		a.count()
		switch _, err := a.client.GetCard(ctx, id); {
		case err == nil:
			return true, nil
		case errors.Is(err, api.ErrNotFound):
			missing++
		default:
			return false, err
		}
	}
	if missing > 0 { // A single answer that there is no such card may be wrong, and would part an account from its files.
		a.count()
		list, err := a.client.ListCards(ctx, api.ListCardsOptions{Sort: api.SortLastUsed, Order: "desc", PerPage: api.MaxPerPage})
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(list.Data, func(c api.CardItem) bool { return slices.Contains(k.cards, c.ID) }) {
			return true, nil
		}
	}
	if missing == 0 { // An address proves nothing: a provider may have one for many accounts, or give a new one each time.
		return false, errors.New("no card shows whose it is")
	}
	if len(k.pins) > 0 {
		a.count()
		shown, err := a.client.DepositAddresses(ctx, "")
		if err != nil && !forbidden(err) { // Who may not read them has the cards alone to tell by.
			return false, err
		}
		for _, address := range shown.Addresses {
			if slices.Contains(k.pins, string(address)) {
				return false, errors.New("it shows a deposit address of that account, and none of its cards")
			}
		}
	}
	return false, nil
}
