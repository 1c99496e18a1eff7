package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/config"
	"github.com/cardtop/cardtop/ui"
)

// inForce refuses settings that this version reads and does not carry out. A
// cap that is written down and not kept is worse than none.
func inForce(s config.Settings) error {
	d := config.Defaults()
	var errs []error
	for _, section := range []struct {
		name      string
		set, none any
	}{
		{"notifications", s.Notifications, d.Notifications},
		{"webhook", s.Webhook, d.Webhook},
	} {
		if !reflect.DeepEqual(section.set, section.none) {
			errs = append(errs, fmt.Errorf("the section %q of the configuration is not in force in this version: take it out", section.name))
		}
	}
	for list, chosen := range columnsOf(s) {
		errs = append(errs, ui.CheckColumns(list, chosen))
	}
	return errors.Join(errs...)
}

// columnsOf are the columns that the configuration chooses for lists.
func columnsOf(s config.Settings) map[state.ListName][]state.ShownColumn {
	out := make(map[state.ListName][]state.ShownColumn)
	for list, chosen := range map[state.ListName][]config.Column{state.CardList: s.Columns.Cards, state.FeedList: s.Columns.Transactions} {
		for _, c := range chosen {
			out[list] = append(out[list], state.ShownColumn(c))
		}
	}
	return out
}
