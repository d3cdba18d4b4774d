package understudy

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"strings"
)

// fileType is the media type of a response that is a file.
const fileType = "application/octet-stream"

// operation is an operation of the API.
type operation struct {
	id        string
	method    string
	path      string
	repeats   bool
	hasKey    bool
	isPublic  bool
	multipart bool
}

// request has the arguments of a call.
type request struct {
	ids   []string
	query any
	body  any
}

// exchange is one call: a request that may be sent several times.
type exchange struct {
	settings
	op     operation
	url    string
	header http.Header
	body   []byte
	// ids are the values of the path.
	ids []string
	// key is the idempotency key, or empty.
	key string
	// streamed is the media type of a response that is read record by record, or empty.
	streamed string
}

// call sends a request and decodes `data` of the response.
func call[T any](ctx context.Context, c *core, op operation, req request, opts []CallOption) (*T, error) {
	x, err := c.prepare(op, req, opts)
	if err != nil {
		return nil, err
	}
	response, err := c.send(ctx, x)
	if err != nil {
		return nil, err
	}
	var envelope struct{ Data json.RawMessage }
	result := new(T)
	if json.Unmarshal(response.body, &envelope) != nil || !isPresent(envelope.Data) ||
		decode(envelope.Data, result) != nil {
		return nil, c.unexpected(x, response)
	}
	return result, nil
}

// callDocument sends a request and decodes the whole response.
func callDocument(ctx context.Context, c *core, op operation, req request, opts []CallOption) (map[string]any, error) {
	x, err := c.prepare(op, req, opts)
	if err != nil {
		return nil, err
	}
	response, err := c.send(ctx, x)
	if err != nil {
		return nil, err
	}
	var result map[string]any
	if decode(response.body, &result) != nil || result == nil {
		return nil, c.unexpected(x, response)
	}
	return result, nil
}

// callFile sends a request and returns the whole response, which is a file.
func callFile(ctx context.Context, c *core, op operation, req request, opts []CallOption) ([]byte, error) {
	x, err := c.prepare(op, req, opts)
	if err != nil {
		return nil, err
	}
	x.header.Set("Accept", fileType)
	response, err := c.send(ctx, x)
	if err != nil {
		return nil, err
	}
	if response.tooLarge || response.mediaType() != fileType {
		return nil, c.unexpected(x, response)
	}
	return response.body, nil
}

func isPresent(data json.RawMessage) bool { return len(data) > 0 && string(data) != "null" }

// decode keeps all digits of numbers in values of any type.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.InputOffset() != int64(len(bytes.TrimRight(text, " \t\r\n"))) {
		return fmt.Errorf("expected one JSON value")
	}
	return nil
}

func (c *core) prepare(op operation, req request, opts []CallOption) (*exchange, error) {
	x := &exchange{settings: c.settings, op: op, ids: req.ids, header: http.Header{}}
	for _, option := range opts {
		option.applyToCall(&x.settings)
	}
	if err := x.settings.check(); err != nil {
		return nil, err
	}
	if (x.seed != nil || x.now != "") && op.id != "generate" {
		return nil, configurationError("%s: WithSeed and WithNow are options of the generate methods", op.id)
	}
	x.header.Set("Accept", "application/json")
	x.header.Set("User-Agent", userAgent)
	if !op.isPublic {
		if c.authorize == nil {
			return nil, configurationError("%s needs a token: create the client with New", op.id)
		}
		c.authorize(x.header)
	}
	if err := x.addKey(); err != nil {
		return nil, err
	}
	if err := x.addURL(c.baseURL, req); err != nil {
		return nil, err
	}
	return x, x.addBody(req.body)
}

func (x *exchange) addKey() error {
	key := x.settings.idempotencyKey
	switch {
	case !x.op.hasKey && key != nil:
		return configurationError("%s accepts no idempotency key", x.op.id)
	case !x.op.hasKey:
		return nil
	case key != nil && !isVisible(*key, 255):
		return configurationError("idempotency key: expected 1 to 255 visible ASCII characters")
	case key != nil:
		x.key = *key
	default:
		x.key = newUUID()
	}
	// The name is in lower case because http.Transport repeats requests with the header "Idempotency-Key"
	// without the knowledge of this client.
	x.header["idempotency-key"] = []string{x.key}
	return nil
}

func newUUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic("understudy: the system has no random numbers: " + err.Error())
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (x *exchange) addURL(baseURL string, req request) error {
	path := x.op.path
	for _, id := range req.ids {
		// A server or a proxy would resolve a segment of dots, and so reach another operation.
		if id == "" || id == "." || id == ".." {
			return configurationError("%s: expected an id, got %q", x.op.id, id)
		}
		start, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:start] + url.PathEscape(id) + path[end+1:]
	}
	x.url = baseURL + path
	if query := encodeQuery(req.query); query != "" {
		x.url += "?" + query
	}
	return nil
}

// encodeQuery encodes the fields of a struct that have the tag `url` and not the zero value.
func encodeQuery(params any) string {
	values := url.Values{}
	if params != nil {
		v := reflect.ValueOf(params)
		for i := 0; i < v.NumField(); i++ {
			if !v.Field(i).IsZero() {
				values.Set(v.Type().Field(i).Tag.Get("url"), fmt.Sprint(v.Field(i).Interface()))
			}
		}
	}
	return values.Encode()
}

func (x *exchange) addBody(body any) (err error) {
	contentType := "application/json"
	switch {
	case body == nil:
		return nil
	case x.op.multipart:
		x.body, contentType, err = encodeForm(body)
	default:
		x.body, err = json.Marshal(body)
	}
	if err != nil {
		return configurationError("%s: the body cannot be encoded: %v", x.op.id, err)
	}
	x.header.Set("Content-Type", contentType)
	return nil
}

// encodeForm encodes the fields of a struct as a multipart form. Bytes become a file.
func encodeForm(body any) (text []byte, contentType string, err error) {
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	v := reflect.ValueOf(body)
	for i := 0; i < v.NumField() && err == nil; i++ {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		switch value := v.Field(i).Interface().(type) {
		case []byte:
			part, failure := form.CreateFormFile(name, name)
			if err = failure; err == nil {
				_, err = part.Write(value)
			}
		case string:
			if value != "" {
				err = form.WriteField(name, value)
			}
		}
	}
	if err == nil {
		err = form.Close()
	}
	return buffer.Bytes(), form.FormDataContentType(), err
}
