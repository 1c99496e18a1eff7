// Command bubbletable shows the cards in bubbles' table under Bubble Tea.
package main

import (
	"log"
	"os"

	"charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/bench/screen/rows"
)

type model struct {
	all       [][]string
	table     table.Model
	filter    string
	filtering bool
}

func (m *model) show() {
	kept := rows.Filter(m.all, m.filter)
	out := make([]table.Row, len(kept))
	for i, r := range kept {
		out[i] = r
	}
	m.table.SetRows(out)
	m.table.SetCursor(0)
}

// Init does nothing.
func (m *model) Init() tea.Cmd { return nil }

// Update filters, and hands the other keys to the table.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.table.SetWidth(msg.Width)
		m.table.SetHeight(msg.Height - 1)
		return m, nil
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "ctrl+c":
			return m, tea.Quit
		case m.filtering && key == "esc":
			m.filter, m.filtering = "", false
			m.show()
			return m, nil
		case m.filtering && msg.Key().Text != "":
			m.filter += msg.Key().Text
			m.show()
			return m, nil
		case key == "/":
			m.filtering = true
			return m, nil
		}
	}
	var cmd tea.Cmd
	m.table, cmd = m.table.Update(msg)
	return m, cmd
}

// View returns the table over the filter.
func (m *model) View() tea.View {
	foot := ""
	if m.filtering {
		foot = "/" + m.filter
	}
	v := tea.NewView(m.table.View() + "\n" + foot)
	v.AltScreen = true
	return v
}

func main() {
	all, err := rows.Read(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	columns := make([]table.Column, len(rows.Titles()))
	for i, title := range rows.Titles() {
		columns[i] = table.Column{Title: title, Width: rows.Widths()[i] - 2} // Its style pads each cell.
	}
	m := &model{all: all, table: table.New(table.WithColumns(columns), table.WithFocused(true))}
	m.show()
	if _, err := tea.NewProgram(m).Run(); err != nil {
		log.Fatal(err)
	}
}
