package keymap

// The actions that find things in a list and say how it is seen.
const (
	NextTab Action = "next-tab"
	PrevTab Action = "previous-tab"
	KeepTab Action = "keep-tab"
	DropTab Action = "drop-tab"
	Columns Action = "columns"
	GroupBy Action = "group"
	FoldAll Action = "fold-all"
	Jump    Action = "jump"
)

// finding are the keys of the lists that can be filtered, kept and seen in
// more than one way.
func finding() []Binding {
	var rows []Binding
	for _, c := range []Context{Cards, Feed} {
		rows = append(rows,
			Binding{Action: NextTab, Context: c, Keys: []string{"]"}, Help: "The filter of the next tab"},
			Binding{Action: PrevTab, Context: c, Keys: []string{"["}, Help: "The filter of the tab before"},
			Binding{Action: KeepTab, Context: c, Keys: []string{"t"}, Help: "Save filter as tab"},
			Binding{Action: Columns, Context: c, Keys: []string{","}, Help: "Choose, order and size the columns"},
			Binding{Action: Export, Context: c, Keys: []string{"E"}, Help: "Export what is shown: CSV, JSON; file, clipboard"},
			Binding{Action: DropTab, Context: c, Keys: []string{"T"}, Help: "Delete tab"},
		)
	}
	return append(rows,
		Binding{Action: Jump, Context: Global, Keys: []string{";"}, Help: "Label the panes and the rows in sight; a label goes there"},
		Binding{Action: Sort, Context: Feed, Keys: []string{"s"}, Help: "Sort by the next column; by time, the newest first, it is live"},
		Binding{Action: SortBack, Context: Feed, Keys: []string{"S"}, Help: "Sort the other way round"},
		Binding{Action: GroupBy, Context: Cards, Keys: []string{"z"}, Help: "Group by label part, BIN, status; enter folds"},
		Binding{Action: FoldAll, Context: Cards, Keys: []string{"Z"}, Help: "Fold all groups, or unfold them"},
	)
}
