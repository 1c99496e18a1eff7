// Command tviewtable shows the cards in tview's table, each cell set, as k9s
// does.
package main

import (
	"log"
	"os"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/cardtop/cardtop/bench/screen/rows"
)

func main() {
	all, err := rows.Read(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	table := tview.NewTable().SetSelectable(true, false).SetFixed(1, 0)
	fill(table, all)
	foot := tview.NewTextView()
	filter, filtering := "", false
	app := tview.NewApplication()
	app.SetInputCapture(func(e *tcell.EventKey) *tcell.EventKey {
		switch {
		case filtering && e.Key() == tcell.KeyEscape:
			filter, filtering = "", false
		case filtering && e.Key() == tcell.KeyRune:
			filter += string(e.Rune())
		case e.Rune() == '/':
			filtering = true
			foot.SetText("/")
			return nil
		default:
			return e
		}
		fill(table, rows.Filter(all, filter))
		foot.SetText(filter)
		return nil
	})
	page := tview.NewFlex().SetDirection(tview.FlexRow).AddItem(table, 0, 1, true).AddItem(foot, 1, 0, false)
	if err := app.SetRoot(page, true).Run(); err != nil {
		log.Fatal(err)
	}
}

// fill sets every cell of the table and moves the cursor to the first row.
func fill(table *tview.Table, kept [][]string) {
	widths := rows.Widths()
	table.Clear()
	for c, title := range rows.Titles() {
		table.SetCell(0, c, tview.NewTableCell(title).SetSelectable(false).SetMaxWidth(widths[c]))
	}
	for r, row := range kept {
		for c, text := range row {
			table.SetCell(r+1, c, tview.NewTableCell(text).SetMaxWidth(widths[c]))
		}
	}
	table.Select(1, 0)
}
