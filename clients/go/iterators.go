//go:build go1.23

package understudy

import "iter"

// All returns the items of all pages for a range loop. An error is the last pair.
func (p *Pager[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p.Next() {
			if !yield(p.Item(), nil) {
				return
			}
		}
		if err := p.Err(); err != nil {
			var none T
			yield(none, err)
		}
	}
}

// All returns the records for a range loop, and closes the stream at the end of the loop. An error is the last
// pair.
func (s *RecordStream) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		defer s.Close()
		for s.Next() {
			if !yield(s.Record(), nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}
