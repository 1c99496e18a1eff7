package pane

import "github.com/cardtop/cardtop/internal/lang"

// OpName is what an operation is called on the screen, by the name that the history and
// a hub have of it; a name that is not known is shown as it is.
func OpName(w *lang.Words, name string) string {
	switch name {
	case "freeze":
		return w.Tc("operation", "freeze")
	case "unfreeze":
		return w.Tc("operation", "unfreeze")
	case "fund":
		return w.Tc("operation", "fund")
	case "withdraw":
		return w.Tc("operation", "withdraw")
	case "withdrawal":
		return w.Tc("operation", "withdrawal")
	case "issue":
		return w.Tc("operation", "issue")
	case "update":
		return w.Tc("operation", "update")
	case "termination":
		return w.Tc("operation", "termination")
	case "registration":
		return w.Tc("operation", "registration")
	case "deletion":
		return w.Tc("operation", "deletion")
	case "operation":
		return w.Tc("operation", "operation")
	case "terminate":
		return w.Tc("operation", "terminate")
	case "subscribe":
		return w.Tc("operation", "subscribe")
	case "unsubscribe":
		return w.Tc("operation", "unsubscribe")
	}
	return name
}
