package state

// LoadSheet asks to read a file of cards to be issued.
type LoadSheet struct{ Path string }

func (LoadSheet) intent() {}

// SheetFile is the file of cards to be issued that was asked for last.
type SheetFile struct {
	Path    string
	Loading bool
	Sheet   Sheet
	// Problems are all that is wrong with it, by what is known now.
	Problems []SheetProblem
	// Err tells why it could not be read.
	Err error

	seq Seq
}

// Sheet is the file that was asked for last.
func (s *Store) Sheet() SheetFile { return s.sheet }

func (s *Store) loadSheet(path string) []Effect {
	s.sheet = SheetFile{Path: path, Loading: true, seq: s.nextSeq()}
	return []Effect{FetchSheet{Seq: s.sheet.seq, Path: path}}
}

func (s *Store) sheetLoaded(ev SheetLoaded) Topic {
	if ev.Seq != s.sheet.seq {
		return 0
	}
	s.sheet.Loading, s.sheet.Sheet, s.sheet.Err = false, ev.Sheet, ev.Err
	s.judgeSheet()
	return TopicOps
}

// judgeSheet looks for what is wrong with the file, which may be long: when it
// was read, and when the BINs or the guardrails are others.
func (s *Store) judgeSheet() { s.sheet.Problems = s.sheetProblems(s.sheet.Sheet) }
