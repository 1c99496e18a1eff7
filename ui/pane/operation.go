package pane

import "github.com/cardtop/cardtop/internal/lang"

// OpName is what an operation is called on the screen, by the name that the history and
// a hub have of it: the store's kinds have theirs in the catalogue. A name that is not
// known is shown as it is.
func OpName(w *lang.Words, name string) string {
	if text := w.Tc("operation", name); text != name {
		return text
	}
	return w.T(name)
}
