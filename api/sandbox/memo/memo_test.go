package memo

import "testing"

func TestACountOfCardsIsNotSetAfterAChange(t *testing.T) {
	m := New()
	_, version, known := m.Cards("active")
	if known {
		t.Error("a count is known from the start")
	}
	m.ForgetCards()
	m.SetCards("active", 5, version)
	if _, _, known := m.Cards("active"); known {
		t.Error("a count from before a change is known after it")
	}
	_, version, _ = m.Cards("active")
	m.SetCards("active", 6, version)
	if n, _, known := m.Cards("active"); n != 6 || !known {
		t.Errorf("%d, %t", n, known)
	}
}

func TestMarksAreBounded(t *testing.T) {
	m := New()
	m.AddMark("all", Mark{1, 1})
	if len(m.Marks("all")) != 0 {
		t.Error("a filter without a count has a mark")
	}
	m.SetTxns("all", 10, 20)
	m.SetTxns("all", 9, 19)
	if n, upTo := m.Txns("all"); n != 10 || upTo != 20 {
		t.Errorf("%d up to %d: an older count replaced a later one", n, upTo)
	}
	for i := range int64(2 * maxMarks) {
		m.AddMark("all", Mark{i, i})
		m.AddMark("all", Mark{i, i})
	}
	if marks := m.Marks("all"); len(marks) != maxMarks || marks[0].Row != maxMarks {
		t.Errorf("%d marks from %v", len(marks), marks[:1])
	}
}
