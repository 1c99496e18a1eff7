package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Spoil returns the body of a list with its first item twice, or with one that cannot be
// read, as the kind of fault says. An empty list stays as it is.
func (f *Faults) Spoil(kind string, body []byte) ([]byte, error) {
	if kind != faultRepeated && kind != faultMalformed {
		return body, nil
	}
	var list struct {
		Data       []json.RawMessage `json:"data"`
		Pagination json.RawMessage   `json:"pagination,omitempty"`
	}
	var all any = &list
	if bytes.HasPrefix(body, []byte("[")) {
		all = &list.Data
	}
	err := json.Unmarshal(body, all)
	if err != nil || len(list.Data) == 0 {
		return body, err
	}
	if kind == faultRepeated {
		list.Data = slices.Insert(list.Data, 1, list.Data[0])
	} else if list.Data[0], err = f.malform(list.Data[0]); err != nil {
		return nil, err
	}
	return Encode(all)
}

// malform returns an item without its id or, every other time, with a field of a wrong
// type.
func (f *Faults) malform(item json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(item, &fields); err != nil {
		return nil, fmt.Errorf("decode item: %w", err)
	}
	f.mu.Lock()
	f.mistyped = !f.mistyped
	mistyped := !f.mistyped
	f.mu.Unlock()
	if !mistyped {
		delete(fields, "id")
		return Encode(fields)
	}
	for _, name := range []string{"amount", "amount_usd", "balance", "max_transaction", "url"} {
		if _, has := fields[name]; has {
			fields[name] = json.RawMessage("false")
			break
		}
	}
	return Encode(fields)
}
