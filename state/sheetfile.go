package state

// LoadSheet asks to read a file of cards to be issued.
type LoadSheet struct{ Path string }

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
func (bu *BulkTable) Sheet() SheetFile { return bu.sheet }

func (bu *BulkTable) loadSheet(path string) []Effect {
	bu.sheet = SheetFile{Path: path, Loading: true, seq: bu.nextSeq()}
	return []Effect{FetchSheet{Seq: bu.sheet.seq, Path: path}}
}

func (bu *BulkTable) sheetLoaded(ev SheetLoaded) Topic {
	if ev.Seq != bu.sheet.seq {
		return 0
	}
	bu.sheet.Loading, bu.sheet.Sheet, bu.sheet.Err = false, ev.Sheet, ev.Err
	bu.judgeSheet()
	return TopicOps
}

// judgeSheet looks for what is wrong with the file, which may be long: when it
// was read, and when the BINs or the guardrails are others.
func (bu *BulkTable) judgeSheet() { bu.sheet.Problems = bu.sheetProblems(bu.sheet.Sheet) }
