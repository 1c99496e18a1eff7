package main

// faults are the planted ones: each breaks a promise that the judge knows, and most were in the program once.
func faults() []fault {
	return []fault{
		{"a-5xx-is-a-refusal", []edit{
			{"api/answer.go", "e.unknown = r.isWrite() && a.status >= http.StatusInternalServerError", "e.unknown = r.isWrite() && a.status > 600 && http.StatusOK > 0"},
			{"api/answer.go", "kind: kind, unknown: r.isWrite(),", "kind: kind, unknown: false,"},
		}},
		{"a-cut-is-a-refusal", []edit{{"api/answer.go", "unknown: sent && r.isWrite()}", "unknown: false}"}}},
		{"nothing-is-recorded-before-it-is-sent", []edit{{"internal/engine/write.go", "if err := e.begin(op, *w); errors.Is(", "if err := error(nil); errors.Is("}}},
		{"each-try-has-a-new-key", []edit{
			{"api/request.go", "req.Header.Set(idempotencyHeader, string(r.key))", `req.Header.Set(idempotencyHeader, string(r.key)+time.Now().Format("150405.000000000"))`},
		}},
		{"a-day-of-the-cap-is-an-hour", []edit{{"state/guard/guard.go", "if now.Sub(m.At) < span {", "if now.Sub(m.At) < span/24 {"}}},
		{"the-cap-counts-the-answer", []edit{{"state/history.go", "return max(r.Amount, r.Asked)", "return r.Amount"}}},
		{"the-rule-forgets-its-cap", []edit{
			{"state/rule/admit.go", "case r.MaxDay > 0 && u.Amount+amount > r.MaxDay:", "case r.MaxDay > 0 && amount > r.MaxDay:"},
			{"state/rule/admit.go", "want = min(want, r.MaxDay-u.Amount)", "want = min(want, r.MaxDay)"},
		}},
		{"a-list-drops-the-last-of-a-page", []edit{{"internal/engine/pages.go", "	return fresh\n", "	if len(fresh) > 99 {\n		fresh = fresh[:99]\n	}\n	return fresh\n"}}},
		{"a-list-repeats-an-item", []edit{{"internal/engine/pages.go", "return len(r.seen) > had", "return len(r.seen) >= had"}}},
		{"the-key-is-logged", []edit{{"internal/app/account.go", "		logCall(log, c)\n", "		logCall(log, c)\n		log.Warn(\"call \" + acc.cfg.Key.Expose())\n"}}},
		{"the-same-line-has-another-key", []edit{{"internal/cmd/write/keys.go", "append([]string{c.key}, parts...)", "append([]string{c.key, c.Now().String()}, parts...)"}}},
		{"what-is-done-stays-open", []edit{{"internal/engine/record.go", "		return e.cfg.Journal.End(op, outcome)\n", "		return nil\n"}}},
		{"the-wallet-is-shown-too-high", []edit{{"state/rows/wallet.go", "Money(w.Balance)", "Money(w.Balance + w.Balance/100)"}}},
		{"not-known-is-told-as-done", []edit{{"internal/cmd/cli/exit.go", "		return ExitUnknown\n", "		return ExitDone\n"}}},
		{"what-failed-is-told-as-done", []edit{{"internal/cmd/cli/exit.go", "	return ExitFailed\n}\n\n// Report", "	return ExitDone\n}\n\n// Report"}}},
		{"an-operation-is-taken-over-from-who-runs", []edit{{"internal/storage/journal/open.go", "if errors.Is(err, fsafe.ErrBusy) {", "if false && errors.Is(err, fsafe.ErrBusy) {"}}},
		{"a-hub-locks-as-a-screen-does", []edit{{"internal/cmd/hub/serve.go", "FindFundings: len(settings.Rules) > 0,\n	}", "FindFundings: len(settings.Rules) > 0, Screen: &state.Screen{},\n	}"}}},
		{"codes-are-asked-for-every-ten-seconds", []edit{{"state/poll/lane.go", "[attentions]time.Duration{time.Second, 3 * time.Second, armedEvery, backgroundCodes}", "[attentions]time.Duration{10 * time.Second, 10 * time.Second, armedEvery, backgroundCodes}"}}},
		{"the-key-for-codes-copies-the-oldest", []edit{{"state/code.go", "	for _, c := range co.codes.rows {\n		switch usable", "	for i := range co.codes.rows {\n		c := co.codes.rows[len(co.codes.rows)-1-i]\n		switch usable"}}},
		{"the-wallet-is-read-once", []edit{{"state/poll/lane.go", "Wallet:   {lang.N(\"wallet\"), every(10 * time.Second)", "Wallet:   {lang.N(\"wallet\"), every(10 * time.Hour)"}}},
		{"the-clipboard-is-left", []edit{{"internal/app/screen.go", "	executor.DropCopy()\n	err := errors.Join(runErr, board.Close(true))", "	err := errors.Join(runErr, board.Close(false))"}}},
		{"calls-are-not-counted", []edit{{"internal/cmd/mcp/allowance.go", "	a.left -= amount\n	a.held", "	a.held"}}},
		{"a-withdrawal-funds", []edit{{"api/card_fund.go", "\"/withdraw\"", "\"/fund\""}}},
	}
}
