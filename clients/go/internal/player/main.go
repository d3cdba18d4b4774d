// The player calls the client for the tests of clients/test: it reads one request from each line of stdin, and
// writes one response to stdout. The tests build it with
//
//	cd clients/go && go build -o <path> ./internal/player
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/understudy/understudy-go"
	"github.com/understudy/understudy-go/internal/hooks"
)

type request struct {
	ID     int64
	Call   string
	Client clientOptions
	Env    map[string]string
	Path   []string
	Query  map[string]json.RawMessage
	Body   json.RawMessage
	// Options are those of the call.
	Options struct {
		Timeout        *float64
		MaxRetries     *int    `json:"max_retries"`
		IdempotencyKey *string `json:"idempotency_key"`
	}
	Schema   json.RawMessage
	Count    int64
	Generate struct {
		Seed *int64
		Now  *string
	}
	Take             *int
	Discard          bool
	To               string
	Wait             struct{ Timeout *float64 }
	Verify           verifyRequest
	FakeSleep        bool     `json:"fake_sleep"`
	RealBackoffScale *float64 `json:"real_backoff_scale"`
	KeepClient       bool     `json:"keep_client"`
}

type response struct {
	ID       int64     `json:"id"`
	Result   any       `json:"result,omitempty"`
	Error    any       `json:"error,omitempty"`
	Attempts []attempt `json:"attempts"`
	Stream   any       `json:"stream,omitempty"`
	Records  []any     `json:"records,omitempty"`
	Progress []string  `json:"progress,omitempty"`
	Received *int      `json:"received,omitempty"`
}

type attempt struct {
	Operation string   `json:"operation"`
	Attempt   int      `json:"attempt"`
	Status    *int     `json:"status"`
	RequestID *string  `json:"request_id"`
	Delay     *float64 `json:"delay"`
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for {
		line, err := input.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := output.Encode(play(line)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}

// play performs one request. A fault of the request itself is an error of the class PlayerError.
func play(line []byte) *response {
	var req request
	out := &response{Attempts: []attempt{}}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&req); err != nil {
		out.Error = describeError(err, nil)
		return out
	}
	out.ID = req.ID
	if string(req.Body) == "null" {
		req.Body = nil
	}
	ctx, cancel := clock(&req)
	defer cancel()
	for _, name := range []string{"UNDERSTUDY_API_TOKEN", "UNDERSTUDY_API_URL"} {
		os.Unsetenv(name)
		if value, isGiven := req.Env[name]; isGiven {
			os.Setenv(name, value)
		}
	}
	var client *understudy.Client
	var err error
	if req.Call == "webhooks.verify" {
		out.Result, err = req.Verify.run()
	} else if client, err = req.connect(out); err == nil {
		out.Result, err = perform(ctx, client, &req, out)
		out.Attempts = append(out.Attempts, kept.out.Attempts...)
		kept.out.Attempts = nil
	}
	if err != nil {
		out.Result, out.Error = nil, describeError(err, client)
	}
	return out
}

func perform(ctx context.Context, client *understudy.Client, req *request, out *response) (any, error) {
	opts := req.callOptions()
	switch req.Call {
	case "construct":
		return map[string]any{"base_url": client.BaseURL(), "text": dump(client)}, nil
	case "generate":
		return client.Generate(ctx, req.Schema, req.Count, opts...)
	case "generateStream":
		return stream(ctx, client, req, out, opts)
	case "generateCsv":
		if req.To != "" {
			return nil, client.GenerateCSVFile(ctx, req.To, req.Schema, req.Count, opts...)
		}
		file, err := client.GenerateCSV(ctx, req.Schema, req.Count, opts...)
		return map[string]any{"base64": file}, err
	case "jobs.wait":
		return client.Jobs.Wait(ctx, req.Path[0], func(job *understudy.SyncJob) {
			out.Progress = append(out.Progress, string(job.Status))
		}, opts...)
	}
	results, err := invoke(ctx, client, req, opts)
	if err != nil {
		return nil, err
	}
	if len(results) == 1 {
		return iterate(results[0], req.Take, out)
	}
	err, _ = results[1].Interface().(error)
	if file, isFile := results[0].Interface().([]byte); isFile {
		return map[string]any{"base64": file}, err
	}
	return results[0].Interface(), err
}

// invoke calls a generated method by its name, for example jobs.create.
func invoke(ctx context.Context, client *understudy.Client, req *request, opts []understudy.CallOption) ([]reflect.Value, error) {
	service := reflect.ValueOf(client)
	name := req.Call
	if group, method, isGrouped := strings.Cut(req.Call, "."); isGrouped {
		service, name = service.Elem().FieldByName(exported(group)), method
	}
	if !service.IsValid() || !service.MethodByName(exported(name)).IsValid() {
		return nil, fmt.Errorf("unknown call %s", req.Call)
	}
	method := service.MethodByName(exported(name))
	args := []reflect.Value{reflect.ValueOf(ctx)}
	ids, hasBody := req.Path, false
	for i := 1; i < method.Type().NumIn()-1; i++ {
		arg := reflect.New(method.Type().In(i))
		var err error
		switch {
		case arg.Elem().Kind() == reflect.String && len(ids) == 0:
			err = fmt.Errorf("%s: expected more values in path", req.Call)
		case arg.Elem().Kind() == reflect.String:
			arg.Elem().SetString(ids[0])
			ids = ids[1:]
		case strings.HasSuffix(arg.Elem().Type().Name(), "Params"):
			err = fillParams(arg.Elem(), req.Query)
		default:
			hasBody, err = true, fillBody(arg.Interface(), req.Body)
		}
		if err != nil {
			return nil, err
		}
		args = append(args, arg.Elem())
	}
	if !hasBody && len(req.Body) > 0 && string(req.Body) != "{}" {
		return nil, fmt.Errorf("%s has no body", req.Call)
	}
	for _, option := range opts {
		args = append(args, reflect.ValueOf(option))
	}
	return method.Call(args), nil
}

func exported(name string) string {
	if name == "apiDescription" {
		return "APIDescription"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func fillParams(params reflect.Value, query map[string]json.RawMessage) error {
	known := 0
	for i := 0; i < params.NumField(); i++ {
		if text, isGiven := query[params.Type().Field(i).Tag.Get("url")]; isGiven {
			known++
			if err := json.Unmarshal(text, params.Field(i).Addr().Interface()); err != nil {
				return err
			}
		}
	}
	if known < len(query) {
		return fmt.Errorf("unknown query parameter in %v", query)
	}
	return nil
}

func fillBody(body any, text json.RawMessage) error {
	if upload, isUpload := body.(*understudy.UploadModelRequest); isUpload {
		var form struct {
			understudy.UploadModelRequest
			File struct{ Base64 []byte } `json:"file"`
		}
		err := strictly(text, &form)
		*upload = form.UploadModelRequest
		upload.File = form.File.Base64
		return err
	}
	if len(text) == 0 {
		return nil
	}
	return strictly(text, body)
}

// strictly refuses a field that the types of the client lack.
func strictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	return decoder.Decode(into)
}

func iterate(pager reflect.Value, take *int, out *response) (any, error) {
	items := []any{}
	next, item := pager.MethodByName("Next"), pager.MethodByName("Item")
	for (take == nil || len(items) < *take) && next.Call(nil)[0].Bool() {
		items = append(items, item.Call(nil)[0].Interface())
	}
	if err, _ := pager.MethodByName("Err").Call(nil)[0].Interface().(error); err != nil {
		out.Records = items
		return nil, err
	}
	return items, nil
}

func stream(ctx context.Context, client *understudy.Client, req *request, out *response, opts []understudy.CallOption) (any, error) {
	records, err := client.GenerateStream(ctx, req.Schema, req.Count, opts...)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	out.Stream = map[string]any{
		"seed": records.Seed, "count": records.Count, "now": records.Now,
		"engine_version": records.EngineVersion, "warnings": records.Warnings,
	}
	received, kept := 0, []any{}
	for (req.Take == nil || received < *req.Take) && records.Next() {
		received++
		record := records.Record() // a discarded record is decoded, too, as in the other languages
		if !req.Discard {
			kept = append(kept, record)
		}
	}
	if req.Discard {
		out.Received = &received
	}
	if records.Err() != nil {
		out.Records = kept
	}
	return kept, records.Err()
}

type verifyRequest struct {
	Body      []byte
	Headers   map[string]json.RawMessage
	Secrets   []string
	Tolerance float64
	Now       *float64
	// AllowUntimed passes the option of this name.
	AllowUntimed bool `json:"allow_untimed"`
}

func (v verifyRequest) run() (any, error) {
	header := http.Header{}
	for name, text := range v.Headers {
		var values []string
		if text[0] == '"' {
			text = []byte("[" + string(text) + "]")
		}
		if err := json.Unmarshal(text, &values); err != nil {
			return nil, err
		}
		header[name] = values
	}
	if v.Now != nil {
		now := time.Unix(int64(*v.Now), 0)
		hooks.Now = func() time.Time { return now }
	}
	var options []understudy.VerifyOption
	if v.AllowUntimed {
		options = append(options, understudy.AllowUntimed())
	}
	event, err := understudy.VerifyWebhook(v.Body, header, v.Secrets, seconds(v.Tolerance), options...)
	if err != nil || event.ID != "" {
		return event, err
	}
	// The vectors of Standard Webhooks are no events of this API.
	return json.RawMessage(v.Body), nil
}
