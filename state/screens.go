package state

// screenEvent takes what came of what a screen asked for.
func (s *Store) screenEvent(ev Event) (Topic, []Effect) {
	switch ev := ev.(type) {
	case MonthLoaded:
		s.hear(ev.Meta)
		return s.Limits.monthLoaded(ev), nil
	case BINsLoaded:
		s.hear(ev.Meta)
		return s.binsLoaded(ev), nil
	case OlderLoaded:
		s.hear(ev.Meta)
		return s.Older.olderLoaded(ev), nil
	case TransactionLoaded:
		s.hear(ev.Meta)
		return s.Txns.transactionLoaded(ev), nil
	case WebhooksLoaded:
		s.hear(ev.Meta)
		return s.webhooksLoaded(ev)
	case AddressesLoaded:
		s.hear(ev.Meta)
		return s.Wallet.addressesLoaded(ev)
	case PinsLoaded:
		s.hear(ev.Meta)
		return s.Wallet.pinsLoaded(ev)
	case PinsKept:
		s.hear(ev.Meta)
		return s.Wallet.pinsKept(ev), nil
	default:
		return 0, nil
	}
}
