package understudy

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// unexpectedResponse is the code of an error for a response that is not one of the API.
const unexpectedResponse = "unexpected_response"

// longestText is the largest number of bytes of a text of the server in an error.
const longestText = 2000

func (c *core) requestID(r *response) string { return c.text(r.header.Get("X-Request-Id")) }

// apiError reads the error in a response. A text of the server is shortened, and never contains the token.
func (c *core) apiError(x *exchange, r *response) error {
	if r.status/100 == 3 {
		err := c.newError(x, r, "unexpected_redirect")
		err.Message = "the client follows no redirect: check the base URL"
		return err
	}
	var answer struct {
		Error struct {
			Code    string
			Message string
			Details json.RawMessage
		}
		Meta struct {
			RequestID string `json:"request_id"`
		}
	}
	if r.encoding() != "" || json.Unmarshal(r.body, &answer) != nil || answer.Error.Code == "" {
		return c.unexpected(x, r)
	}
	err := c.newError(x, r, c.text(answer.Error.Code))
	err.Message = c.text(answer.Error.Message)
	err.Details = c.problems(answer.Error.Details)
	if err.RequestID == "" {
		err.RequestID = c.text(answer.Meta.RequestID)
	}
	return err
}

// problems reads the details of an error. It leaves out a detail of another form.
func (c *core) problems(text json.RawMessage) (problems []FieldProblem) {
	var details []json.RawMessage
	if json.Unmarshal(text, &details) != nil {
		return nil
	}
	for _, detail := range details {
		var problem FieldProblem
		if json.Unmarshal(detail, &problem) == nil {
			problems = append(problems, FieldProblem{c.text(problem.Field), c.text(problem.Message)})
		}
	}
	return problems
}

// unexpected is the error for a response that is not one of the API.
func (c *core) unexpected(x *exchange, r *response) error {
	err := c.newError(x, r, unexpectedResponse)
	media := c.text(r.mediaType())
	if media == "" {
		media = "no media type"
	}
	switch {
	case r.tooLarge:
		err.Message = fmt.Sprintf("the response is larger than %d MiB", largestBody>>20)
	case r.encoding() != "":
		err.Message = fmt.Sprintf("expected a response without compression, got the content encoding \"%s\": "+
			"turn it off in the server or the proxies before it", c.text(r.encoding()))
	default:
		err.Message = fmt.Sprintf("expected a response of the API, got %s: check the base URL", media)
	}
	return err
}

func (c *core) newError(x *exchange, r *response, code string) *APIError {
	err := &APIError{Operation: x.op.id, Status: r.status, Code: code, IdempotencyKey: x.key}
	err.RequestID = c.requestID(r)
	if after, isGiven := r.retryAfter(); isGiven {
		err.RetryAfter = &after
	}
	return err
}

// deleted is the response to a repeated DELETE: an earlier attempt has deleted the resource.
func (x *exchange) deleted(r *response) *response {
	id := x.ids[len(x.ids)-1]
	return &response{status: 200, header: r.header, body: []byte(
		`{"data":{"id":` + quoteJSON(id) + `,"deleted":true}}`)}
}

func quoteJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return strconv.Quote(text)
	}
	return string(quoted)
}

func (c *core) text(text string) string { return clean(c.redact(text)) }

// clean removes control characters and shortens a text.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if len(text) > longestText {
		return strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	return text
}
