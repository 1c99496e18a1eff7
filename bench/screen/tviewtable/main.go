// Command tviewtable shows the cards in tview's table, each cell set, as k9s
// does; with -virtual its rows come from a table content.
package main

import (
	"flag"
	"log"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/cardtop/cardtop/bench/screen/rows"
)

// content gives cells when they are asked for.
type content struct {
	tview.TableContentReadOnly
	rows [][]string
}

func (c *content) GetCell(row, column int) *tview.TableCell {
	if row == 0 {
		return tview.NewTableCell(rows.Titles[column]).SetSelectable(false).SetMaxWidth(rows.Widths[column])
	}
	return tview.NewTableCell(c.rows[row-1][column]).SetMaxWidth(rows.Widths[column])
}

func (c *content) GetRowCount() int    { return len(c.rows) + 1 }
func (c *content) GetColumnCount() int { return len(rows.Titles) }

func main() {
	virtual := flag.Bool("virtual", false, "cells are made when asked for")
	flag.Parse()
	all, err := rows.Read(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	table := tview.NewTable().SetSelectable(true, false).SetFixed(1, 0)
	shown := &content{rows: all}
	filter, filtering := "", false
	show := func() {
		shown.rows = rows.Filter(all, filter)
		if *virtual {
			table.SetContent(shown)
		} else {
			table.Clear()
			for r := range len(shown.rows) + 1 {
				for c := range rows.Titles {
					table.SetCell(r, c, shown.GetCell(r, c))
				}
			}
		}
		table.Select(1, 0)
	}
	show()
	foot := tview.NewTextView()
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
		show()
		if filtering {
			foot.SetText("/" + filter)
		} else {
			foot.SetText("")
		}
		return nil
	})
	page := tview.NewFlex().SetDirection(tview.FlexRow).AddItem(table, 0, 1, true).AddItem(foot, 1, 0, false)
	if err := app.SetRoot(page, true).Run(); err != nil {
		log.Fatal(err)
	}
}
