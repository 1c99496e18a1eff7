package clipboard

import "sync"

// mailboxSize bounds the reports that wait for a reader.
const mailboxSize = 64

// mailbox is a channel of reports whose writers never block: when it is full
// the oldest report is dropped, because the newest state is the true one.
type mailbox struct {
	mu sync.Mutex
	ch chan Report
}

func newMailbox() *mailbox {
	return &mailbox{ch: make(chan Report, mailboxSize)}
}

func (m *mailbox) put(r Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		select {
		case m.ch <- r:
			return
		default:
		}
		select {
		case <-m.ch:
		default:
		}
	}
}
