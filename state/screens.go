package state

// checkScreen judges what is asked for in a list or a screen over it and is no
// write of a card.
func (s *Store) checkScreen(in Intent) Verdict {
	switch in := in.(type) {
	case InspectTransaction:
		if in.Transaction == "" && len(in.Among) > 0 {
			return Verdict{Reason: "this is no transaction: there is nothing to open"}
		}
		return Verdict{}
	case FollowLink:
		if _, ok := s.nextLink(); !ok {
			return Verdict{Reason: "nothing that is held belongs with this transaction"}
		}
		return Verdict{}
	case TrustAddress:
		return s.Wallet.checkTrust(in)
	case CopyAddress:
		return s.Wallet.checkCopyAddress(in)
	case CreateWebhook:
		return s.Ops.checkCreateWebhook(in)
	case DeleteWebhook:
		return s.Ops.checkDeleteWebhook(in)
	case ShowSigning, CopySigningSecret:
		return s.Webhooks.checkSigning()
	case CopyText:
		if in.Text == "" {
			return Verdict{Reason: "there is no " + in.What + " to copy"}
		}
		return Verdict{}
	default:
		return s.Views.checkTab(in)
	}
}

// startScreen does what is asked for by a screen, or in one, and writes
// nothing at the API.
func (s *Store) startScreen(in Intent) (Topic, []Effect) {
	switch in := in.(type) {
	case LoadOlder:
		had := s.Older.search.Search
		effects := s.Older.loadOlder(in)
		if s.Older.search.Search != had {
			return TopicHealth | TopicInspector | TopicFeed, effects
		}
		return TopicHealth | TopicInspector, effects
	case EndSearch, ReadRest, EndRest, WatchLimits:
		return s.startReading(in), nil
	case LoadBINs:
		return TopicBINs, s.BINs.load(in.Anew)
	case LoadHistory:
		return TopicHistory, s.History.load()
	case InspectTransaction:
		return s.lookAt(in)
	case FollowLink:
		return s.followLink()
	case StepTransaction:
		return s.lookOn(in)
	case LoadWebhooks:
		return TopicWebhooks, s.Webhooks.load()
	case ShowSigning:
		s.Webhooks.showSigning()
		return TopicSecrets, nil
	case CopySigningSecret:
		return TopicSecrets, s.Clip.copySigning()
	case DropSigning:
		return TopicSecrets, s.Webhooks.dropSigning()
	case LoadAddresses:
		return TopicWallet, s.Wallet.loadAddresses()
	case TrustAddress:
		return TopicWallet | TopicNotice, s.Wallet.trustAddress(in)
	case CopyAddress:
		return TopicSecrets, s.Clip.copyAddress(in)
	case RunCommand:
		return 0, []Effect{s.startCommand(in)}
	default:
		return 0, nil
	}
}

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
