package accounts

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The fields of an account.
const (
	FieldName     = "name"
	FieldAddress  = "address"
	FieldKey      = "key"
	FieldCommand  = "command"
	fieldReadOnly = "read-only"
	// FieldFile is there where the system has no keyring.
	FieldFile = "file"
)

// Draft is an account as the form has it.
type Draft struct {
	Name, Address string
	// Key is what was typed, empty for none. Whoever is given a draft wipes it.
	Key      api.Secret
	Command  string
	ReadOnly bool
	// InFile: a typed key goes into a file that only the user may read.
	InFile bool
	// Changes: the account is in the configuration already.
	Changes bool
	// Words are what the user reads.
	Words *lang.Words
}

// Found is what a read with a key brought.
type Found struct {
	Mode   string
	Wallet api.USD
	// Cards is how many are active; nil where the API does not say.
	Cards *int
}

// FieldError is what is wrong with one field of an account.
type FieldError struct{ Field, Reason string }

// Error returns the reason.
func (e *FieldError) Error() string { return e.Reason }

// Profiles tests and stores the accounts of the configuration. Its methods block
// and are called from jobs; an error about one field is a FieldError.
type Profiles interface {
	// Try reads the wallet with the key of a draft and stores nothing.
	Try(context.Context, Draft) (Found, error)
	// Save stores the account and its key, and returns it.
	Save(context.Context, Draft) (dialog.Account, error)
	// Remove removes an account and its key, and says how that went.
	Remove(ctx context.Context, w *lang.Words, name string) (told string, err error)
	// Keyring returns why a typed key cannot be stored on this system; nil when it can.
	Keyring(context.Context) error
	// Files returns where the operations and the history of an account are, which
	// stay. It does not block.
	Files(name string) string
}

// AccountForm adds an account, or changes one. Enter tests it, and enter again
// stores it.
type AccountForm struct {
	theme    *theme.Theme
	store    *state.Store
	keys     *keymap.Map
	profiles Profiles
	gone     bool
	back     dialog.Dialog // The list that it was opened from; nil for none.
	taken    []string
	changes  bool

	form          *dialog.Form
	name, address *dialog.TextEntry
	key           *dialog.SecretEntry
	command       *dialog.TextEntry
	readOnly      *dialog.Checkbox
	inFile        *dialog.Checkbox

	// doing is what is under way, empty for nothing.
	doing string
	// storing reports whether that changes what is stored.
	storing bool
	// found is what the test of the account as it is typed brought.
	found *Found
	// next is what comes by itself after it was stored.
	next *dialog.Result
}

// NewAccountForm makes the form; on is the stored account to change, nil for a
// new one.
func NewAccountForm(t *theme.Theme, s *state.Store, keys *keymap.Map, p Profiles, on *dialog.Account, all []dialog.Account, gone bool) *AccountForm {
	f := &AccountForm{
		theme: t, store: s, keys: keys, profiles: p, gone: gone, changes: on != nil,
		name: dialog.NewText(), address: dialog.NewText(), key: &dialog.SecretEntry{Mask: t.Glyphs.Mask}, command: dialog.NewText(), readOnly: &dialog.Checkbox{Name: fieldReadOnly, Text: t.Words.T("no write, ever"), Check: t.Glyphs.Check},
		inFile: &dialog.Checkbox{Name: FieldFile, Text: t.Words.T("keep it in a private file"), Check: t.Glyphs.Check},
	}
	f.name.SetPlaceholder("team")
	f.address.SetPlaceholder("https://api.example.com/v1")
	f.key.SetPlaceholder(t.Words.T("sk_live_… or sk_test_…"))
	f.command.SetPlaceholder("pass show cards/team")
	fields := []*dialog.Field{
		{Name: FieldAddress, Label: t.Words.T("address"), Entry: f.address, Hint: t.Words.T("base URL of the API, ends in /v1")},
		{Name: FieldKey, Label: t.Words.T("API key"), Entry: f.key, Hint: t.Words.T("goes to the keyring of the system, not into a file")},
		{Name: FieldCommand, Label: t.Words.T("or a command"), Entry: f.command, Hint: t.Words.T("shell line that prints the key")},
		{Name: fieldReadOnly, Label: t.Words.T("read-only"), Entry: f.readOnly, Hint: t.Words.T("space switches")},
	}
	if on == nil {
		fields = append([]*dialog.Field{{Name: FieldName, Label: t.Words.T("name"), Entry: f.name, Hint: t.Words.T("letters, digits, - and _")}}, fields...)
	} else {
		f.name.SetValue(on.Name)
		f.address.SetValue(on.Stored.Address)
		f.command.SetValue(on.Stored.Command)
		f.readOnly.On = on.Stored.ReadOnly
		f.key.SetPlaceholder(t.Words.T("as it is"))
	}
	for _, a := range all {
		f.taken = append(f.taken, a.Name)
	}
	f.form = dialog.NewForm(t, fields...)
	f.validate()
	return f
}

// Look returns the job that finds out where a typed key could go: the user is told before
// one is typed.
func (f *AccountForm) Look() dialog.Job {
	return func(ctx context.Context) func() {
		err := f.profiles.Keyring(ctx)
		return func() {
			if err != nil {
				f.offerFile()
			}
			f.validate()
		}
	}
}

// Sync makes the form read the store again. A key that is half typed does not
// outlive a lock of the screen.
func (f *AccountForm) Sync(s *state.Store, _ kernel.Topic) {
	if f.store = s; !s.Privacy.Locked() || f.key.Length() == 0 {
		return
	}
	f.key.Set(nil, "")
	f.found = nil
	f.validate()
	f.form.Refused(FieldKey, f.theme.Words.T("the lock wiped it: type it again"))
}

// Traits implements Dialog.
func (f *AccountForm) Traits() dialog.Traits {
	return dialog.Traits{Context: keymap.Form, Typing: f.doing == "" && f.form.Letters(), Commits: true, Public: true, Ready: f.ready}
}

// Act moves between the fields, tests or stores the account.
func (f *AccountForm) Act(a keymap.Action) dialog.Result {
	switch {
	case a == keymap.Cancel && f.storing:
		return dialog.Result{} // Closed, it would not be known what was stored. It ends within seconds.
	case a == keymap.Cancel:
		f.key.Wipe()
		return dialog.Result{Close: true, Push: f.back}
	case f.doing != "", f.form.Act(a), a != keymap.Confirm:
		return dialog.Result{}
	}
	f.form.ClearTold()
	switch {
	case f.form.FirstWrong():
		return dialog.Result{}
	case f.found == nil:
		return dialog.Result{Job: f.try()}
	default:
		return dialog.Result{Job: f.save()}
	}
}

// Type edits the field under the cursor.
func (f *AccountForm) Type(key, text string) dialog.Result {
	f.edit(func(e dialog.Entry) { e.Key(key, text) })
	return dialog.Result{}
}

// Paste pastes into it.
func (f *AccountForm) Paste(text string) {
	f.edit(func(e dialog.Entry) { e.Paste(strings.TrimSpace(text)) })
}

// edit changes a value: what was found with the one before says nothing.
func (f *AccountForm) edit(change func(dialog.Entry)) {
	if f.doing != "" {
		return
	}
	was := f.key.Changes
	before := f.form.Focused().Entry.Value()
	f.form.Edit(change)
	if f.form.Focused().Entry.Value() != before || f.key.Changes != was {
		f.found = nil
	}
	f.validate()
}

// validate finds what is wrong without asking anybody.
func (f *AccountForm) validate() {
	f.form.ClearProblems()
	var all []state.Problem
	add := func(field, reason string) { all = append(all, state.Problem{Field: field, Reason: reason}) }
	switch name := f.name.Value(); {
	case f.changes:
	case name == "":
		add(FieldName, f.theme.Words.T("name it"))
	case slices.Contains(f.taken, name):
		add(FieldName, f.theme.Words.Tf("there is an account %s", name))
	}
	if f.address.Value() == "" {
		add(FieldAddress, f.theme.Words.T("type the base URL"))
	}
	if f.keyless() {
		f.demandPlace(add)
	}
	if f.key.Length() > 0 && f.command.Value() != "" {
		add(FieldCommand, f.theme.Words.T("leave the key or the command out"))
	}
	f.form.SetProblems(all)
}

// keyless reports whether the system has no keyring, as far as is known.
func (f *AccountForm) keyless() bool {
	_, ok := f.form.Find(FieldFile)
	return ok
}

// offerFile adds the field that keeps a key without a keyring, below that of the key. The cursor stays in its field.
func (f *AccountForm) offerFile() {
	if f.keyless() {
		return
	}
	at := 1 + slices.IndexFunc(f.form.Fields, func(fd *dialog.Field) bool { return fd.Name == FieldKey })
	hint := f.theme.Words.T("space switches; the file is yours alone (0600), and the account gets the command that reads it")
	f.form.Fields = slices.Insert(f.form.Fields, at, &dialog.Field{Name: FieldFile, Entry: f.inFile, Hint: hint})
	if f.form.At >= at {
		f.form.At++
	}
}

// demandPlace says that a key has to be given a place, in the place of hints to the contrary.
func (f *AccountForm) demandPlace(add func(field, reason string)) {
	if key, ok := f.form.Find(FieldKey); ok {
		key.Warning, key.Hint = "", ""
		if !f.inFile.On {
			key.Warning = f.theme.Words.T("no keyring on this system: keep the key in a private file, or use a command")
		}
	}
	if f.key.Length() > 0 && !f.inFile.On {
		add(FieldFile, f.theme.Words.T("space keeps the key in a private file; or remove it and use a command"))
	}
}

// draft returns the account as typed so far, with a key of its own.
func (f *AccountForm) draft() Draft {
	return Draft{
		Name: f.name.Value(), Address: strings.TrimSpace(f.address.Value()), Key: f.key.Secret(),
		Command: strings.TrimSpace(f.command.Value()), ReadOnly: f.readOnly.On, InFile: f.inFile.On, Changes: f.changes, Words: f.theme.Words,
	}
}

func (f *AccountForm) try() dialog.Job {
	f.doing = f.theme.Words.T("testing…")
	draft, typed := f.draft(), f.key.Changes
	return func(ctx context.Context) func() {
		found, err := f.profiles.Try(ctx, draft)
		return func() {
			f.doing = ""
			switch {
			case f.key.Changes != typed: // It was wiped meanwhile.
			case err != nil:
				f.refused(err)
			default:
				f.found = &found
			}
		}
	}
}

func (f *AccountForm) save() dialog.Job {
	f.doing, f.storing = f.theme.Words.T("saving…"), true
	draft := f.draft()
	return func(ctx context.Context) func() {
		saved, err := f.profiles.Save(ctx, draft)
		return func() {
			if f.doing, f.storing = "", false; err != nil {
				f.refused(err)
				return
			}
			f.key.Wipe()
			f.next = &dialog.Result{Close: true, Told: f.theme.Words.Tf("saved %s", saved.Name)}
			if !f.changes {
				next := SwitchTo(f.theme, f.store, f.keys, saved, f.gone)
				f.next = &next
			}
		}
	}
}

// refused shows an error at its field.
func (f *AccountForm) refused(err error) {
	field := ""
	var at *FieldError
	if errors.As(err, &at) {
		field = at.Field
	}
	if field == FieldFile { // The keyring was there when the form opened.
		f.offerFile()
		f.validate()
	}
	f.form.Refused(field, err.Error())
}

// ready returns what comes after it was stored.
func (f *AccountForm) ready() (dialog.Result, bool) {
	if f.next == nil {
		return dialog.Result{}, false
	}
	next := *f.next
	f.next = nil
	return next, true
}

// View draws the box.
func (f *AccountForm) View(w, h int) []string {
	t := f.theme
	w = min(w, 72)
	inner := w - 2
	title := t.Words.T("Add an account")
	if f.changes {
		title = t.Words.Tf("Account %s", f.name.Value())
	}
	f.form.Enter = t.Words.T("test")
	var effect []string
	switch {
	case f.doing != "":
		effect = []string{widget.Spans(inner, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " " + f.doing})}
	case f.found != nil:
		effect = f.foundLines(inner)
		if f.form.Enter = t.Words.T("add and switch"); f.changes {
			f.form.Enter = t.Words.T("save")
		}
	}
	return f.form.Draw(title, w, h, effect, false)
}

// foundLines draw what the test brought.
func (f *AccountForm) foundLines(w int) []string {
	t := f.theme
	style := t.Good
	if f.found.Mode == "LIVE" {
		style = t.Bad
	}
	text := "  " + t.Words.T("the key works")
	if f.store == nil || !f.store.Privacy.Display().Private() {
		text += " · " + t.Words.Tf("wallet %s", t.Words.Dollars(f.found.Wallet))
		if n := f.found.Cards; n != nil {
			text += " · " + t.Words.Tn(*n, "%d active cards", "%d active cards")
		}
	}
	return []string{widget.Spans(w, widget.Span{Style: t.Good, Text: " " + t.Glyphs.Check + " "}, widget.Span{Style: style, Text: t.Words.T(f.found.Mode)}, widget.Span{Style: t.Text, Text: text})}
}

// removeAccount asks before an account is removed.
type removeAccount struct {
	dialog.Inert
	theme    *theme.Theme
	profiles Profiles
	account  dialog.Account
	back     dialog.Dialog // The list that it was opened from.
	buttons  *dialog.Buttons
	doing    bool
	told     string
	next     *dialog.Result
	dialog.Scroller
}

func newRemoveAccount(t *theme.Theme, p Profiles, on dialog.Account, back dialog.Dialog) *removeAccount {
	return &removeAccount{theme: t, profiles: p, account: on, back: back, buttons: dialog.NewButtons(t, t.Words.T("Remove"), func() kernel.Verdict { return kernel.Verdict{} })}
}

// Traits implements Dialog.
func (d *removeAccount) Traits() dialog.Traits {
	return dialog.Traits{Question: true, Public: true, Move: d.Move, Ready: d.ready}
}

// Act moves between the buttons and presses them.
func (d *removeAccount) Act(a keymap.Action) dialog.Result {
	if d.doing {
		return dialog.Result{} // Closed, it would not be known what was removed. It ends within seconds.
	}
	switch d.buttons.Act(a) {
	case dialog.Cancelled:
		return dialog.Result{Close: true, Push: d.back}
	case dialog.Confirmed:
		d.doing = true
		w := d.theme.Words
		return dialog.Result{Job: func(ctx context.Context) func() {
			told, err := d.profiles.Remove(ctx, w, d.account.Name)
			return func() {
				if d.doing = false; err != nil {
					d.told = err.Error()
					return
				}
				d.next = &dialog.Result{Close: true, Told: told}
			}
		}}
	default:
		return dialog.Result{}
	}
}

func (d *removeAccount) ready() (dialog.Result, bool) {
	if d.next == nil {
		return dialog.Result{}, false
	}
	return *d.next, true
}

// View draws the box.
func (d *removeAccount) View(w, h int) []string {
	t := d.theme
	w = min(w, 62)
	inner := w - 2
	lines := append([]string{widget.Spans(inner)}, dialog.Paragraph(inner, t.Text, t.Words.T("Removes the profile from the configuration, and its key from the keyring or its private file."))...)
	lines = append(lines, dialog.Paragraph(inner, t.Muted, t.Words.Tf("Its operations, history and plans stay in %s", d.profiles.Files(d.account.Name)))...)
	lines = append(lines, dialog.Paragraph(inner, t.Muted, t.Words.Tf("The key stays valid at %s until you revoke it there.", t.Words.T(d.account.Where)))...)
	lines = append(lines, widget.Spans(inner))
	foot := d.buttons.Lines(inner)
	switch {
	case d.doing:
		foot = []string{widget.Spans(inner, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " " + t.Words.T("removing…")})}
	case d.told != "":
		foot = append(dialog.ErrorLines(t, inner, d.told), foot...)
	}
	foot = append(foot, dialog.KeyLines(t, inner, d.buttons.Hints()...)...)
	return dialog.Scrolled(t, t.Words.Tf("Remove %s", d.account.Name), append(d.Part(lines, h-2-len(foot)), foot...), w, d.Scroll)
}
