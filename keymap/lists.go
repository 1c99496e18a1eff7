package keymap

// The actions that filter, arrange and export a list.
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

// finding are the keys of lists with tabs, columns and groups.
func finding() []Binding {
	var rows []Binding
	for _, c := range []Context{Cards, Feed} {
		rows = append(rows,
			Binding{Action: NextTab, Context: c, Keys: []string{"]"}, Help: "Next tab"},
			Binding{Action: PrevTab, Context: c, Keys: []string{"["}, Help: "Previous tab"},
			Binding{Action: KeepTab, Context: c, Keys: []string{"t"}, Help: "Save filter as tab", Asks: true},
			Binding{Action: Columns, Context: c, Keys: []string{","}, Help: "Choose columns"},
			Binding{Action: Export, Context: c, Keys: []string{"E"}, Help: "Export: CSV, TSV, JSON; file or clipboard", AtOnce: true, Asks: true},
			Binding{Action: DropTab, Context: c, Keys: []string{"T"}, Help: "Delete tab", Asks: true},
		)
	}
	return append(rows,
		Binding{Action: Jump, Context: Global, Keys: []string{";"}, Help: "Jump: label panes and rows, then type a label"},
		Binding{Action: Sort, Context: Feed, Keys: []string{"s"}, Help: "Sort by next column; newest first is live"},
		Binding{Action: SortBack, Context: Feed, Keys: []string{"S"}, Help: "Reverse sort"},
		Binding{Action: GroupBy, Context: Cards, Keys: []string{"z"}, Help: "Group by campaign, label, BIN, status; enter folds"},
		Binding{Action: FoldAll, Context: Cards, Keys: []string{"Z"}, Help: "Fold or unfold all groups"},
	)
}
