package api

// Pagination places a page in its list. A field that the list does not have
// is 0: lists of transactions have no TotalPages, other lists have nothing.
type Pagination struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	Total      int `json:"total"`
	TotalPages int `json:"total_pages"`
}

// Page is one page of a list.
type Page[T any] struct {
	Data       []T
	Pagination Pagination
}
