package config

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/state/alert"
)

// reads is how a value is read that settings of several names have.
type reads[T any] struct {
	read   func(v value) (T, error)
	schema node
}

// whole reads a whole number between two bounds.
func whole(low, high int) reads[int] {
	return reads[int]{
		func(v value) (int, error) { return v.integer(low, high) },
		node{Type: "integer", Minimum: low, Maximum: high},
	}
}

// percentList reads a list of at most limit whole numbers, and sorts it.
func percentList(limit int) reads[[]int] {
	read := func(v value) ([]int, error) {
		if v.kind != kindList {
			return nil, wrongKind(v, "a list of numbers")
		}
		if len(v.items) > limit {
			return nil, fmt.Errorf("holds more than %d numbers", limit)
		}
		list := make([]int, 0, len(v.items))
		for _, item := range v.items {
			n, err := item.integer(1, alert.MaxPercent)
			if err != nil {
				return nil, &itemError{item.at, err}
			}
			list = append(list, n)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	return reads[[]int]{read, node{Type: "array", Items: &node{Type: "integer", Minimum: 1, Maximum: alert.MaxPercent}, MaxItems: limit}}
}

// own reads a line of alerts for the cards and campaigns that the name of the setting
// is.
func own[V, T any](r reads[V], field func(*alert.Rules) *[]alert.Own[T], line func(V) T) takes {
	set := func(t *target, v value) error {
		n, err := r.read(v)
		if err != nil {
			return err
		}
		list := field(&t.Alerts)
		*list = append(*list, alert.Own[T]{Of: t.star, Line: line(n)})
		return nil
	}
	return takes{set: set, schema: r.schema}
}

// quietHours reads hours as in 23:00-07:00.
func quietHours() takes {
	set := func(t *target, v value) error {
		s, err := v.line()
		if err != nil {
			return err
		}
		h, ok := alert.ParseHours(s)
		if !ok {
			return errors.New(`must be two different times of day, such as "23:00-07:00"`)
		}
		t.Alerts.Quiet.From, t.Alerts.Quiet.To = h.From, h.To
		return nil
	}
	clock := "([01]?[0-9]|2[0-3]):[0-5][0-9]"
	return takes{set: set, schema: node{Type: "string", Pattern: "^(" + clock + "-" + clock + ")?$"}}
}

// quietExcept reads kinds of alerts.
func quietExcept() takes {
	kinds := alert.Kinds()
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	known := oneOf(names...)
	set := func(t *target, v value) error {
		list, err := v.lines(len(names))
		var except []alert.Kind
		for _, name := range list {
			if err := known.check(name); err != nil {
				return err
			}
			except = append(except, kinds[slices.Index(names, name)])
		}
		t.Alerts.Quiet.Except = except
		return err
	}
	return takes{set: set, schema: textOrList(len(names), node{Type: "string", Enum: names})}
}
