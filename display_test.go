package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEverythingDrawnGoesThroughTheDisplay holds that no view turns an amount,
// a code, a label or a card's digits into text by itself: state.Display does,
// so that one mode hides them everywhere. Dialogs are covered as a whole.
func TestEverythingDrawnGoesThroughTheDisplay(t *testing.T) {
	forbidden := []string{"Grouped", "Expose", "Label", "Last4", "OTP", "AmountCrypto", "CardName", "BillingAddress"}
	allowed := map[string][]string{
		"ui/effects.go":              {"Expose", "OTP"},  // To the clipboard.
		"ui/reveal/pane.go":          {"Expose"},         // Is not drawn on a private screen.
		"ui/cards/columns.go":        {"Label", "Last4"}, // Sorts, and writes files.
		"ui/cards/index.go":          {"Label", "Last4"},
		"ui/cards/campaign.go":       {"Label"}, // Tells the campaign.
		"ui/cards/language.go":       {"Last4"}, // Filters.
		"ui/cards/subject.go":        {"Last4"}, // Likewise.
		"ui/txns/language.go":        {"Grouped", "Label", "Last4"},
		"ui/txns/export.go":          {"Label", "Last4"}, // Writes files.
		"ui/spending/held.go":        {"Label"},          // Finds the campaign.
		"ui/spending/table.go":       {"Label"},          // Sorts.
		"ui/wallets/pane.go":         {"AmountCrypto"},   // Handed to the Display.
		"ui/wallets/deposit_rows.go": {"AmountCrypto"},   // Likewise.
		"ui/pane/bin.go":             {"Grouped"},        // What the service offers.
		"ui/codes/view.go":           {"OTP"},            // Whether there is one.
		"ui/team/view.go":            {"Label"},          // Handed to cardName, which asks the Display.
		"ui/team/pane.go":            {"Label"},          // Likewise, and an intent's, for its messages.
		"ui/dialog":                  forbidden,          // Covered: a private screen shows none of the boxes but those without figures.
		"ui/cards/edit.go":           forbidden,          // Dialogs, as well.
		"ui/cards/issue.go":          forbidden,
		"ui/cards/choose.go":         forbidden,
		"ui/cards/amount.go":         forbidden,
		"ui/plans":                   forbidden,
		"ui/palette":                 forbidden,
		"ui/export":                  forbidden,
		"ui/help":                    forbidden,
		"ui/accounts/form.go":        forbidden,
		"ui/accounts/leave.go":       forbidden,
		"ui/alerts/lines.go":         forbidden,
		"ui/history/settle.go":       forbidden,
		"ui/history/dry_run.go":      forbidden,
		"ui/webhooks/register.go":    forbidden,
		"ui/wallets/address.go":      forbidden,
		"ui/pane/panetest":           forbidden, // For tests: it draws nothing.
	}
	files := token.NewFileSet()
	err := filepath.WalkDir("ui", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(path)
		ours := make(map[ast.Expr]bool) // Methods of the Display that are called like the fields.
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				sel, method := call.Fun.(*ast.SelectorExpr)
				ours[call.Fun] = method && (sel.Sel.Name == "Label" || sel.Sel.Name == "Last4")
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || ours[sel] || !slices.Contains(forbidden, sel.Sel.Name) {
				return true
			}
			for where, what := range allowed {
				if (name == where || strings.HasPrefix(name, where+"/")) && slices.Contains(what, sel.Sel.Name) {
					return true
				}
			}
			t.Errorf("%s: %s goes to the screen past state.Display", files.Position(n.Pos()), sel.Sel.Name)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
