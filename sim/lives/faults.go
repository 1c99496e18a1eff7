package main

import "slices"

// faults are the planted ones: each breaks a promise that the judge knows, and most were in the program once.
func faults() []fault {
	return slices.Concat(writesAndScreens(), accountsAndFigures(), figuresAndPeople())
}

// told is what the judge says of a write that has another end than is told.
const told = "with what is told as done it would hold"

func writesAndScreens() []fault {
	return []fault{
		{"a-5xx-is-a-refusal", 3, told, []edit{
			{"api/client/answer.go", "e.Unknown = r.isWrite() && a.status >= http.StatusInternalServerError", "e.Unknown = r.isWrite() && a.status > 600 && http.StatusOK > 0"},
			{"api/client/answer.go", "Kind: kind, Unknown: r.isWrite(),", "Kind: kind, Unknown: false,"},
		}},
		{"a-cut-is-a-refusal", 3, told, []edit{{"api/client/answer.go", "Unknown: sent && r.isWrite()}", "Unknown: false}"}}},
		{"nothing-is-recorded-before-it-is-sent", 1, "moved in 24 hours", []edit{{"internal/engine/write.go", "if err := e.begin(op, *w); errors.Is(", "if err := error(nil); errors.Is("}}},
		{"each-try-has-a-new-key", 1, told, []edit{
			{"api/client/request.go", "req.Header.Set(idempotencyHeader, string(r.key))", `req.Header.Set(idempotencyHeader, string(r.key)+time.Now().Format("150405.000000000"))`},
		}},
		{"a-day-of-the-cap-is-an-hour", 1, "the cap is", []edit{{"state/guard/guard.go", "if now.Sub(m.At) < span {", "if now.Sub(m.At) < span/24 {"}}},
		{"the-cap-counts-the-answer", 42, "the cap of its labels is", []edit{{"state/history.go", "return max(r.Amount, r.Asked)", "return r.Amount"}}},
		{"the-rule-forgets-its-cap", 1, "the rule's cap is", []edit{
			{"state/rule/admit.go", "case r.MaxDay > 0 && u.Amount+amount > r.MaxDay:", "case r.MaxDay > 0 && amount > r.MaxDay:"},
			{"state/rule/admit.go", "want = min(want, r.MaxDay-u.Amount)", "want = min(want, r.MaxDay)"},
		}},
		{"a-list-drops-the-last-of-a-page", 6, "a list lacks", []edit{{"internal/engine/pages.go", "	return fresh\n", "	if len(fresh) > 99 {\n		fresh = fresh[:99]\n	}\n	return fresh\n"}}},
		{"a-list-repeats-an-item", 9, "twice", []edit{{"internal/engine/pages.go", "return len(r.seen) > had", "return len(r.seen) >= had"}}},
		{"the-key-is-logged", 1, "a secret is in", []edit{
			{"internal/app/account.go", "		logCall(log, c)\n", "		logCall(log, c)\n		log.Warn(\"call \" + acc.cfg.Key.Expose())\n"},
			{"internal/config/redact/redact.go", "(?i)sk_(live|test)_", "(?i)rk_(live|test)_"}, // It masks what is logged.
		}},
		{"the-same-line-has-another-key", 1, "times and asked for", []edit{{"internal/cmd/write/keys.go", "append([]string{c.key}, parts...)", "append([]string{c.key, c.Now().String()}, parts...)"}}},
		{"what-is-done-stays-open", 3, "stays unconfirmed", []edit{{"internal/engine/record.go", "		return e.cfg.Journal.End(op, outcome)\n", "		return nil\n"}}},
		{"the-wallet-is-shown-too-high", 1, "shows a wallet of", []edit{{"state/rows/wallet.go", "Money(w.Balance)", "Money(w.Balance + w.Balance/100)"}}},
		{"not-known-is-told-as-done", 10, told, []edit{{"internal/cmd/cli/exit.go", "		return ExitUnknown\n", "		return ExitDone\n"}}},
		{"what-failed-is-told-as-done", 1, "said done, and the provider did not do it", []edit{{"internal/cmd/cli/exit.go", "	return ExitFailed\n}\n\n// Report", "	return ExitDone\n}\n\n// Report"}}},
		{"an-operation-is-taken-over-from-who-runs", 22, told, []edit{{"internal/storage/journal/adopt.go", "if err == nil && got && isAt(e.f, path) {", "if err == nil && (got || e.f != nil) && isAt(e.f, path) {"}}},
		{"a-hub-locks-as-a-screen-does", 4, "was refused for no reason that is true", []edit{{"internal/cmd/hub/serve.go", "FindFundings: len(set.Rules) > 0,\n	}", "FindFundings: len(set.Rules) > 0, Screen: &settings.Screen{},\n	}"}}},
		{"codes-are-asked-for-every-ten-seconds", 9, "is not on the screen", []edit{{"state/poll/lane.go", "[attentions]time.Duration{time.Second, 3 * time.Second, armedEvery, backgroundCodes}", "[attentions]time.Duration{10 * time.Second, 10 * time.Second, armedEvery, backgroundCodes}"}}},
		{"the-key-for-codes-copies-the-oldest", 9, "is not on the screen", []edit{{"state/codes/code.go", "	for _, c := range co.codes.rows {\n		switch usable", "	for i := range co.codes.rows {\n		c := co.codes.rows[len(co.codes.rows)-1-i]\n		switch usable"}}},
		{"the-wallet-is-read-once", 9, "shows a wallet of", []edit{{"state/poll/lane.go", "Wallet:   {lang.N(\"wallet\"), every(10 * time.Second)", "Wallet:   {lang.N(\"wallet\"), every(10 * time.Hour)"}}},
		{"the-clipboard-is-left", 9, "the clipboard after the end", []edit{{"internal/app/screen.go", "	executor.DropCopy()\n	err := errors.Join(runErr, board.Close(true))", "	err := errors.Join(runErr, board.Close(false))"}}},
		{"calls-are-not-counted", 14, "the session", []edit{{"internal/cmd/mcp/tools.go", "	a.left -= amount\n	a.held", "	a.held"}}},
		{"a-withdrawal-funds", 1, told, []edit{{"api/card_write.go", "\"/withdraw\"", "\"/fund\""}}},
		{"a-level-does-not-look-again", 1, "was brought to", []edit{{"internal/engine/write.go", "if movedSince(&op, records, open) {", "if false && movedSince(&op, records, open) {"}}},
		{"a-challenge-that-is-listed-twice-replaces-itself", 11, "is not what was copied", []edit{
			{"api/page.go", "Data: onceEach(*w.Data)", "Data: *w.Data"},
			{"state/codes/listed.go", "		rows = slices.DeleteFunc(rows, func(listed Code) bool { return listed.ID == c.ID })\n", ""},
			{"state/codes/ended.go", "again && id != c.ID && !seen.replaced", "again && !seen.replaced"},
		}},
		{"a-code-that-changed-stays-on-the-clipboard", 24, "is not what was copied", []edit{{"state/secrets/code.go", "if t.needs.Codes.Checkout().Caught == c.ID && t.Cfg.CopyArmed && !c.Replaced {", "if false {"}}},
		{"a-cap-of-labels-is-for-labels-without-numbers", 1, "the cap of its labels is", []edit{
			{"state/history.go", "m.Label = cmp.Or(r.Label, m.Label)", "m.Label = cmp.Or(strings.NewReplacer(\"0\", \"*\", \"1\", \"*\", \"2\", \"*\").Replace(r.Label), m.Label)"},
		}},
		{"a-hub-writes-by-the-label-of-its-list", 6, "which who asks may not see", []edit{{"internal/hub/write.go", "if op.Card == \"\" || op.all {", "if op.Card == \"\" || op.all || op.Key != \"\" {"}}},
		{"two-hubs-have-the-same-files", 4, "a second hub served", []edit{{"internal/hub/kept/kept.go", "return nil, &TakenError{Dir: d.Path, Owner: d.owner()}", "return func() error { return nil }, nil"}}},
		{"a-list-that-moved-is-read-once", 18, "a list lacks", []edit{{"internal/engine/pages.go", "case pass == 1 && !r.moved, pass > 1", "case pass == 1, pass > 1"}}},
		{"an-alert-comes-with-each-figure", 1, "and it was all along", []edit{
			{"state/alert/list.go", "		have.Text, have.Shown, have.Level, have.say =", "		l.news = append(l.news, a)\n		have.Text, have.Shown, have.Level, have.say ="},
		}},
	}
}

func accountsAndFigures() []fault {
	return []fault{
		{"another-accounts-key-writes", 1, told, []edit{{"internal/app/identity.go", "		} else if same {", "		} else if same || !same {"}}},
		{"a-new-key-is-a-new-account", 5, told, []edit{{"internal/app/identity.go", "		} else if same {", "		} else if same && !same {"}}},
		{"currencies-are-added", 8, "a report has", []edit{
			{"api/transaction.go", "t.Amount, t.Foreign = 0, Units(t.Amount)", "t.Foreign = 0"},
			{"state/ledger/record.go", "	if t.InUSD() {", "	if t.Currency != \"XXX\" {"},
		}},
		{"lasts-while-the-past-is-read", 23, "once all was read", []edit{{"state/insight/runway.go", "return sp.ledger.Coverage(ledger.Last24h).Complete && (!week || sp.ledger.Coverage(ledger.Last7d).Complete)", "return week || !week"}}},
		{"a-watch-ends-while-it-writes", 5, "ended at", []edit{{"internal/cmd/watch.go", "	if len(open) == 0 {\n		return nil\n	}\n	for _, op := range open[1:]", "	if len(open) >= 0 {\n		return nil\n	}\n	for _, op := range open[1:]"}}},
		{"a-buyer-has-no-cap", 4, "is not for the role", []edit{{"internal/hub/approvals.go", "case r.person.Cap > 0 && op.Amount > r.person.Cap:", "case r.person.Cap < 0:"}}},
		{"a-viewer-may-write", 4, "is not for the role", []edit{{"internal/hub/route.go", "return team.Buyer\n\tcase state.OpIssue", "return team.Viewer\n\tcase state.OpIssue"}}},
		{"a-buyer-may-withdraw", 4, "is not for the role", []edit{{"internal/hub/route.go", "case state.OpFreeze, state.OpUnfreeze, state.OpFund:", "case state.OpFreeze, state.OpUnfreeze, state.OpFund, state.OpWithdraw:"}, {"internal/hub/route.go", "state.OpTerminate, state.OpWithdraw:", "state.OpTerminate:"}}},
		{"a-new-leader-settles-nothing", 4, told, []edit{{"internal/hub/node/lead.go", "if cfg.Pending, err = ops.Adopt(); err != nil {", "if _, err = ops.Adopt(); err != nil {"}}},
		{"a-rule-funds-cards-that-it-is-not-for", 1, "a rule funds", []edit{{"state/rule/rule.go", "&& f.query.Match(s)", "&& (f.query.Match(s) || s.Card.Balance > 0)"}}},
		{"a-rule-does-not-rest", 5, "after the last time", []edit{{"state/rule/admit.go", "now.Sub(c.last) >= r.Cooldown", "now.Sub(c.last) >= r.Cooldown/100"}}},
		{"a-freeze-is-told-and-not-sent", 1, "said done, and the card is", []edit{{"internal/cmd/cards/move.go", "if card.Status == s.already {", "if card.Status == s.already || card.Label != \"\" {"}}},
		{"some-of-many-were-refused-and-it-ends-well", 1, "said done, and the provider did not do it", []edit{{"internal/cmd/write/many.go", "errors.New(text)", "error(nil)"}}},
		{"no-most-of-an-amount-is-looked-at", 6, "forbids what it asks for", []edit{{"internal/cmd/write/confirm.go", "amount > c.max.USD {", "amount > 100*c.max.USD {"}}},
		{"two-places-have-two-wallets", 4, "the wallet's pane shows", []edit{{"ui/wallets/pane.go", "Text: d.Dollars(wallet.Balance)}", "Text: d.Dollars(wallet.Balance + wallet.Balance/100)}"}}},
	}
}

func figuresAndPeople() []fault {
	return []fault{
		{"a-card-is-listed-with-too-much", 1, "id,balance shows", []edit{{"state/rows/card.go", "Money(c.Balance)", "Money(c.Balance + c.Balance/100)"}}},
		{"a-card-is-shown-with-too-much", 1, "the list of cards shows", []edit{{"ui/cards/columns.go", "d.Amount(c.Balance))", "d.Amount(c.Balance+c.Balance/100))"}}},
		{"what-was-done-is-not-shown", 1, "shows nothing of", []edit{{"state/op_message.go", "text := ops.Lang.Tf(\"funded %s with %s\", who, moved)", "text := ops.Lang.Tf(\"%s %s\", who, moved)"}}},
		{"what-was-refused-is-shown-as-done", 4, "as done, and the provider did not do it", []edit{{"state/op_message.go", "	return ops.Lang.Tf(\"%s of %s not done: %s\"", "	if op.Kind == OpFund {\n		return ops.Lang.Tf(\"funded %s with %s\", ops.cards.opName(op), ops.Lang.Dollars(op.Amount))\n	}\n	return ops.Lang.Tf(\"%s of %s not done: %s\""}}},
		{"a-low-wallet-raises-no-alert", 1, "no alert comes until", []edit{{"state/alerts/compare.go", "w.Balance, al.Cfg.Alerts.Wallet, known)", "w.Balance+al.Cfg.Alerts.Wallet, al.Cfg.Alerts.Wallet, known)"}}},
		{"a-low-wallet-raises-an-alert-at-each-cent", 1, "and it was all along", []edit{{"state/alert/line.go", "{ return limit + limit/10 }", "{ return limit }"}}},
		{"a-code-stays-on-the-clipboard", 9, "the clipboard for longer than 30 s", []edit{{"state/secrets/code.go", "TTL: min(t.Cfg.CopyCode, in.Left)", "TTL: min(2*t.Cfg.CopyCode, in.Left)"}, {"state/secrets/code.go", "TTL: min(t.Cfg.CopyCode, c.Left(t.ServerNow()))", "TTL: min(2*t.Cfg.CopyCode, c.Left(t.ServerNow()))"}}},
		{"a-rule-never-acts", 1, "and did not fund", []edit{{"state/rule/admit.go", "return c.last.IsZero() ||", "return !c.last.IsZero() &&"}}},
		{"a-call-moves-any-amount", 4, "forbids what it asks for", []edit{{"internal/cmd/mcp/tools.go", "case amount > a.call:", "case amount > 100*a.call:"}}},
		{"all-tools-are-allowed", 4, "forbids what it asks for", []edit{{"internal/cmd/mcp/tools.go", "return verb == \"\" || slices.Contains(a.verbs, verb)", "return verb == \"\" || len(a.verbs) > 0 || slices.Contains(a.verbs, verb)"}}},
		{"one-of-two-cards-of-a-label-is-funded", 1, "forbids what it asks for", []edit{{"internal/cmd/write/find.go", "	case 1:\n", "	case 1, 2, 3:\n"}}},
		{"an-operation-moves-any-amount", 4, "forbids what it asks for", []edit{{"state/guard/guard.go", "amount > c.MaxOperation", "amount > 100*c.MaxOperation"}}},
		{"an-expired-card-is-funded", 1, "forbids what it asks for", []edit{{"internal/cmd/write/confirm.go", "case v.Expired != \"\" && !c.expired:\n		return v.Expired, \"--allow-expired goes on\"\n	}\n	return \"\", \"\"", "case v.Expired != \"\" && c.terminal:\n		return v.Expired, \"--allow-expired goes on\"\n	}\n	return \"\", \"\""}}},
		{"a-viewer-may-freeze", 4, "said done to a viewer", []edit{{"internal/hub/route.go", "	case state.OpFreeze, state.OpUnfreeze, state.OpFund:\n", "	case state.OpFreeze, state.OpUnfreeze:\n		return team.Viewer\n	case state.OpFund:\n"}}},
		{"a-hub-names-somebody-else", 4, "who did not ask for it", []edit{{"internal/hub/cards.go", "Name: r.person.Name,", "Name: r.person.Name + \"2\","}}},
		{"charges-of-all-cards-are-listed", 4, "which who asks may not see", []edit{
			{"internal/hub/transactions.go", "if !q.fits(t) || !sees(t.CardID) {", "if sees(t.CardID); !q.fits(t) {"},
			{"internal/hub/transactions.go", "		rows, err := s.seenOf(r, list.Data)\n", "		rows := list.Data\n"},
		}},
		{"the-hour-has-a-tenth-of-the-requests", 1, "says that requests are limited", []edit{{"api/budget/budget.go", "PerHour          = 10_000", "PerHour          = 1_000"}}},
		{"a-file-stays-open", 1, "has open", []edit{{"internal/storage/journal/adopt.go", "	return e.f.Close()\n", "	return nil\n"}}},
		{"undo-moves-a-cent-more", 14, "the key for \"undo\"", []edit{{"state/op_undo.go", "kernel.ValueOr(moved, back.Amount)", "kernel.ValueOr(moved, back.Amount) + api.Dollar/100"}}},
		{"a-key-leads-elsewhere", 18, "the key for", []edit{
			{"ui/screens.go", "open: keymap.OpenSpending}", "open: keymap.OpenDeclines}"},
			{"ui/screens.go", "open: keymap.OpenDeclines, load", "open: keymap.OpenSpending, load"},
		}},
		{"refunds-are-not-subtracted", 8, "a report has", []edit{{"state/ledger/ledger.go", "return Totals{Refunded: e.amount, Refunds: 1}", "return Totals{Refunds: 1}"}}},
	}
}
