package understudy

// Pager iterates over the items of all pages of a list. It requests a page when the previous one is used up:
//
//	pager := client.Jobs.Iterate(ctx, understudy.ListSyncJobsParams{})
//	for pager.Next() {
//		fmt.Println(pager.Item().ID)
//	}
//	if err := pager.Err(); err != nil {
//		…
//	}
type Pager[T any] struct {
	op    operation
	fetch func(page int64) ([]T, pageEnd, error)
	page  int64
	items []T
	item  T
	done  bool
	err   error
}

// pageEnd is what decides whether a page is the last one.
type pageEnd struct{ total, perPage int64 }

func newPager[T any](op operation, first int64, fetch func(page int64) ([]T, pageEnd, error)) *Pager[T] {
	if first < 1 {
		first = 1
	}
	return &Pager[T]{op: op, fetch: fetch, page: first}
}

// Next advances to the next item. It returns false after the last item and after an error.
func (p *Pager[T]) Next() bool {
	if len(p.items) == 0 && !p.done {
		p.load()
	}
	if len(p.items) == 0 {
		return false
	}
	p.item, p.items = p.items[0], p.items[1:]
	return true
}

// Item returns the current item. Call it after Next has returned true.
func (p *Pager[T]) Item() T { return p.item }

// Err returns the error that ended the iteration, or nil.
func (p *Pager[T]) Err() error { return p.err }

func (p *Pager[T]) load() {
	items, end, err := p.fetch(p.page)
	count := int64(len(items))
	if err == nil && items == nil {
		err = &APIError{Operation: p.op.id, Status: 200, Code: unexpectedResponse, Message: "the page has no list"}
	}
	p.items, p.err = items, err
	p.done = err != nil || count < end.perPage || p.page*end.perPage >= end.total
	p.page++
}
