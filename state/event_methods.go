package state

// answer applies what the request of a lane brought, unless the lane has given
// up on it.
func (s *Store) answer(e polled, merge func(*Store) (Topic, []Effect)) (Topic, []Effect) {
	if !s.Poll.Current(e.lane()) {
		return 0, nil
	}
	topics, effects := merge(s)
	return topics | TopicHealth, effects
}

func (ev CardsLoaded) apply(s *Store) (Topic, []Effect) { return s.answer(ev.FetchCards, ev.merge) }

func (ev ChallengesLoaded) apply(s *Store) (Topic, []Effect) {
	defer s.Codes.codes.wipeAll(ev.Items)
	return s.answer(ev.FetchChallenges, ev.merge)
}

func (ev ChallengeLoaded) apply(s *Store) (Topic, []Effect) {
	defer s.Codes.codes.wipe(ev.Item.OTP)
	return ev.merge(s)
}

func (ev TransactionsLoaded) apply(s *Store) (Topic, []Effect) {
	return s.answer(ev.FetchTransactions, ev.merge)
}

func (ev WalletLoaded) apply(s *Store) (Topic, []Effect) {
	return s.answer(ev.FetchWallet, func(s *Store) (Topic, []Effect) { return s.Wallet.loaded(ev), nil })
}

func (ev DepositsLoaded) apply(s *Store) (Topic, []Effect) {
	return s.answer(ev.FetchDeposits, func(s *Store) (Topic, []Effect) { return s.Wallet.depositsLoaded(ev), nil })
}

func (ev CardTransactionsLoaded) apply(s *Store) (Topic, []Effect) {
	return s.Info.transactionsLoaded(ev), nil
}

func (ev OlderLoaded) apply(s *Store) (Topic, []Effect) { return s.Older.loaded(ev), nil }

func (ev TransactionLoaded) apply(s *Store) (Topic, []Effect) { return s.Txns.detailLoaded(ev), nil }

func (ev MonthLoaded) apply(s *Store) (Topic, []Effect) { return s.Limits.monthLoaded(ev), nil }

func (ev BINsLoaded) apply(s *Store) (Topic, []Effect) {
	s.BINs.loaded(ev)
	s.Bulk.judgeSheet()
	return TopicBINs, nil
}

func (ev AddressesLoaded) apply(s *Store) (Topic, []Effect) { return s.Wallet.addressesLoaded(ev) }

func (ev PinsLoaded) apply(s *Store) (Topic, []Effect) { return s.Wallet.pinsLoaded(ev) }

func (ev PinsKept) apply(s *Store) (Topic, []Effect) { return s.Wallet.pinsKept(ev), nil }

func (ev OpDone) apply(s *Store) (Topic, []Effect) {
	topics, effects := s.opDone(ev)
	return topics | s.History.record(ev.Record), effects
}

func (ev OpFailed) apply(s *Store) (Topic, []Effect) {
	topics, effects := s.opFailed(ev)
	return topics | s.History.record(ev.Record), effects
}

func (ev OpForgotten) apply(s *Store) (Topic, []Effect) {
	return s.Ops.forgotten(ev) | s.History.record(ev.Record), nil
}

func (ev DryRunSet) apply(s *Store) (Topic, []Effect) { return s.Ops.dryRunSet(ev), nil }

func (ev PlanKept) apply(s *Store) (Topic, []Effect) { return s.Bulk.planKept(ev), nil }

func (ev PlanDropped) apply(s *Store) (Topic, []Effect) { return s.Bulk.planDropped(ev), nil }

func (ev PlansFound) apply(s *Store) (Topic, []Effect) { return s.Bulk.plansFound(ev) }

func (ev SheetLoaded) apply(s *Store) (Topic, []Effect) { return s.Bulk.sheetLoaded(ev), nil }

func (ev UseShared) apply(s *Store) (Topic, []Effect) {
	why := s.Poll.shared(ev)
	if why == "" {
		return 0, nil
	}
	s.Notices.tell(Warn, why)
	return TopicNotice, nil
}

func (ev ManagersFound) apply(s *Store) (Topic, []Effect) { return s.Clip.managersFound(ev), nil }

func (ev OperationsAdopted) apply(s *Store) (Topic, []Effect) { return s.adopted(ev), nil }

func (ev HistoryLoaded) apply(s *Store) (Topic, []Effect) {
	s.History.loaded(ev)
	return TopicHistory, nil
}

func (ev ViewsKept) apply(s *Store) (Topic, []Effect) { return s.Views.viewsKept(ev), nil }

func (ev CommandDone) apply(s *Store) (Topic, []Effect) { return s.Commands.commandDone(ev), nil }

func (ev Copied) apply(s *Store) (Topic, []Effect) { return s.copied(ev), nil }

func (Copied) meta() Meta { return Meta{} }

func (ev FetchFailed) apply(s *Store) (Topic, []Effect) {
	if p, ok := ev.Effect.(polled); ok {
		lane, seq := p.lane()
		if !s.Poll.Current(lane, seq) {
			return 0, nil
		}
		s.fail(lane, ev)
		return TopicHealth | TopicAll, nil
	}
	return failEffect(s, ev.Effect, failure{at: ev.At, err: ev.Err, wait: retryAfter(ev.Err)}), nil
}

func (ev Deferred) apply(s *Store) (Topic, []Effect) {
	if p, ok := ev.Effect.(polled); ok {
		if lane, seq := p.lane(); s.Poll.Current(lane, seq) {
			s.Poll.postpone(lane, ev)
		}
		return TopicHealth, nil
	}
	return failEffect(s, ev.Effect, failure{at: ev.At, err: limitUsed(ev.Wait), wait: ev.Wait, deferred: true}), nil
}

func failEffect(s *Store, e Effect, f failure) Topic {
	if e, ok := e.(fallible); ok {
		return e.failed(s, f)
	}
	return 0
}
