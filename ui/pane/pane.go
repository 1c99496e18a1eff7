// Package pane is the contract every pane meets. Panes read the store and
// return intents; none talks to another, and none does I/O.
package pane

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// Pane is one rectangle of the screen. Its methods are called from the one
// loop that owns the store.
type Pane interface {
	// Context is where the pane's keys are looked up.
	Context() keymap.Context
	// Reads returns the parts of the store that the pane shows.
	Reads() kernel.Topic
	// SetSize sets the pane's rectangle, borders included.
	SetSize(w, h int)
	// Sync reads the store again; changed is which
	// parts.
	Sync(s *state.Store, changed kernel.Topic)
	// Act does what a key asks for: the pane moves its own cursor, or returns
	// what the user wants.
	Act(keymap.Action) []kernel.Intent
	// Click puts the cursor on what is at a cell of the pane's rectangle.
	Click(x, y int) []kernel.Intent
	// View draws exactly the rectangle of SetSize.
	View(focused bool) []string
}

// Carder is a pane that keeps its cursor on a card.
type Carder interface {
	// Card is what the keys for a card are about; empty when it is none.
	Card() api.CardID
}

// Transactor is a pane that can have its cursor on a transaction.
type Transactor interface {
	// Transaction is the one that keys are about; empty when it is none.
	Transaction() api.TransactionID
}

// Rower is a pane with rows that keys act on.
type Rower interface {
	// OnRow reports whether there is one under the cursor.
	OnRow() bool
}

// Folder is a pane in which enter folds or unfolds some rows.
type Folder interface {
	// Folds says in a word what enter does to the row under the cursor; empty where it opens what
	// the row is.
	Folds() string
}

// Opener is a screen that begins anew when it is opened.
type Opener interface{ Opened() }

// Withholder is a pane in which what keys may do depends on the row, or on who the user is.
type Withholder interface {
	// Withholds names the actions of its own that the footer leaves out, each with a blank
	// before and behind it.
	Withholds() string
}

// Lister is a pane with rows that can be gone to.
type Lister interface {
	// RowAt reports whether there is one on a line of the pane's rectangle.
	RowAt(y int) bool
}

// Backer is a pane in which esc has something of its own to do before it
// leads back.
type Backer interface {
	// Back does it, and reports whether there was anything to do.
	Back() bool
}

// Adviser is a pane whose filter is read as a language.
type Adviser interface {
	// Advice says what the text of the filter lacks, or what is wrong with it;
	// it may repeat the text.
	Advice() (text string, wrong bool)
}

// Worker is a pane in which a key can ask for more than may be done at once.
type Worker interface {
	// Working reports whether some of it is left.
	Working() bool
	// Work does some until enough reports true. Keys are answered in between.
	Work(enough func() bool)
}

// Typist is a pane with a text field that can be open. While it is, keys
// that no binding of the field's context claims are typed into it.
type Typist interface {
	Typing() bool
	Type(key, text string)
}
