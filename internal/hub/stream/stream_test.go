package stream_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/internal/hub/stream"
)

func TestTheLatestReplacesWhatWasNotTaken(t *testing.T) {
	t.Parallel()
	m := stream.New()
	m.Topic()
	select {
	case <-m.Ready():
		t.Error("nothing is ready")
	default:
	}
	for i := range 10_000 {
		m.Topic("cards", fmt.Sprint("topic ", i%3))
		m.Put(stream.Note{Name: fmt.Sprint("note ", i%1000), Data: fmt.Append(nil, i)})
	}
	<-m.Ready()
	topics, notes := m.Take()
	if !slices.Equal(topics, []string{"cards", "topic 0", "topic 1", "topic 2"}) || len(notes) != 256 {
		t.Errorf("%v and %d notes", topics, len(notes))
	}
	if last := notes[len(notes)-1]; string(last.Data) != "9999" {
		t.Errorf("the last note is %s", last.Data)
	}
	if topics, notes := m.Take(); len(topics)+len(notes) != 0 {
		t.Error("told twice")
	}
	m.Close()
	m.Close()
	<-m.Closed()
}
