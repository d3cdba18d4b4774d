package understudy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// largestRecord is the largest size of a record in bytes.
const largestRecord = 16 << 20

// A server that is asked to mark its errors in a stream, and does so, repeats this header. The record separator
// begins the line of an error. JSON cannot contain it, so no record can imitate it.
const (
	errorsHeader = "X-Generation-Errors"
	errorsMarked = "marked"
	errorMark    = 0x1e
)

// Record is a generated record. Its numbers are of the type json.Number, which keeps all digits.
type Record = map[string]any

// Generate returns count records of a schema: a GenerateSchema, or any other value whose JSON is a schema,
// such as json.RawMessage. It accepts the options WithSeed, WithNow, WithTimeout and WithMaxRetries. If the
// records do not all arrive, it returns a *StreamInterruptedError.
func (c *Client) Generate(ctx context.Context, schema any, count int64, opts ...CallOption) ([]Record, error) {
	stream, err := c.GenerateStream(ctx, schema, count, opts...)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	records := []Record{}
	for stream.Next() {
		records = append(records, stream.Record())
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return records, nil
}

// GenerateStream returns the records one after the other, with constant memory. Close the stream to end it
// early:
//
//	stream, err := client.GenerateStream(ctx, schema, 1000000)
//	if err != nil {
//		return err
//	}
//	defer stream.Close()
//	for stream.Next() {
//		fmt.Println(stream.Record()["email"])
//	}
//	return stream.Err()
func (c *Client) GenerateStream(ctx context.Context, schema any, count int64, opts ...CallOption) (*RecordStream, error) {
	response, err := c.generate(ctx, schema, count, "ndjson", "application/x-ndjson", opts)
	if err != nil {
		return nil, err
	}
	return &RecordStream{
		Metadata: readMetadata(response, count),
		core:     c.core,
		reader:   response.records,
		isMarked: response.header.Get(errorsHeader) == errorsMarked,
	}, nil
}

func (c *Client) generate(
	ctx context.Context, schema any, count int64, format, mediaType string, opts []CallOption,
) (*response, error) {
	var call settings
	for _, option := range opts {
		option.applyToCall(&call)
	}
	body := struct {
		Schema any    `json:"schema"`
		Count  int64  `json:"count"`
		Format string `json:"format"`
		Seed   *int64 `json:"seed,omitempty"`
		Now    string `json:"now,omitempty"`
	}{schema, count, format, call.seed, call.now}
	op := operation{id: "generate", method: "POST", path: "/generate", repeats: true}
	x, err := c.core.prepare(op, request{body: body}, opts)
	if err != nil {
		return nil, err
	}
	x.streamed = mediaType
	x.header.Set("Accept", mediaType)
	x.header.Set(errorsHeader, errorsMarked)
	return c.core.send(ctx, x)
}

// Metadata describes a stream of records.
type Metadata struct {
	// Seed is the seed from the request, or the one that the server chose.
	Seed int64
	// Count is the number of records.
	Count int64
	// Now is the time to which relative dates refer.
	Now string
	// EngineVersion is the version of the engine. The same version, schema and seed give the same records.
	EngineVersion string
	// Warnings are about parts of the schema that have no effect or may fail. The server omits some if there
	// are many.
	Warnings []FieldProblem
}

func readMetadata(r *response, requested int64) Metadata {
	number := func(name string, otherwise int64) int64 {
		if n, err := strconv.ParseInt(r.header.Get(name), 10, 64); err == nil {
			return n
		}
		return otherwise
	}
	data := Metadata{
		Seed:          number("X-Generation-Seed", 0),
		Count:         number("X-Generation-Count", requested),
		Now:           r.header.Get("X-Generation-Now"),
		EngineVersion: r.header.Get("X-Generation-Engine-Version"),
		Warnings:      []FieldProblem{},
	}
	if data.Count < 0 {
		data.Count = requested
	}
	if text := r.header.Get("X-Generation-Warning-Details"); text != "" {
		// A malformed header only means that the warnings are unknown.
		_ = json.Unmarshal([]byte(text), &data.Warnings)
	}
	return data
}

// RecordStream iterates over generated records. It is not safe for concurrent use.
type RecordStream struct {
	Metadata

	core     *core
	reader   *bodyReader
	line     []byte
	held     []byte
	received int64
	isMarked bool
	ended    bool
	err      error
}

// Next advances to the next record. It returns false after the last record and after an error, and then
// closes the stream.
func (s *RecordStream) Next() bool {
	if s.ended {
		return false
	}
	line, err := s.nextRecord()
	if err != nil {
		s.line = nil
		s.end(err)
		return false
	}
	s.line = line
	s.received++
	return true
}

// Record returns the current record. Call it after Next has returned true.
func (s *RecordStream) Record() Record {
	var record Record
	// Next has checked the line.
	_ = decode(s.line, &record)
	return record
}

// Decode stores the current record in the value to which into points, as json.Unmarshal does.
func (s *RecordStream) Decode(into any) error { return decode(s.line, into) }

// Err returns the error that ended the stream, or nil. It is a *StreamInterruptedError.
func (s *RecordStream) Err() error { return s.err }

// Close ends the stream and closes its connection if records are left. You can call it several times.
func (s *RecordStream) Close() error {
	s.ended = true
	return s.reader.Close()
}

// end closes the stream. An error other than io.EOF, or a wrong number of records, interrupts it.
func (s *RecordStream) end(err error) {
	_ = s.Close()
	if err == io.EOF {
		if s.received == s.Count {
			return
		}
		err = nil
	}
	var reported *StreamInterruptedError
	if errors.As(err, &reported) {
		s.err = reported
		return
	}
	s.err = &StreamInterruptedError{Received: s.received, Expected: s.Count, cause: err}
}

func (s *RecordStream) nextRecord() ([]byte, error) {
	line, err := s.nextLine()
	if err != nil {
		return nil, err
	}
	if line[0] == errorMark { // also if a proxy has removed the header
		if reported := s.reportedError(line[1:]); reported != nil {
			return nil, reported
		}
		return nil, errors.New("the server reported an error")
	}
	if s.received == s.Count {
		return nil, errors.New("more records arrived than the server announced")
	}
	if line[0] != '{' || !json.Valid(line) {
		return nil, errors.New("a line is not a JSON object")
	}
	if s.isMarked {
		return line, nil
	}
	// An older server does not mark errors.
	reported := s.reportedError(line)
	if reported == nil {
		return line, nil
	}
	// A record can have the same form, so this line is an error only if no other line follows.
	line = append([]byte(nil), line...)
	next, err := s.nextLine()
	if err != nil {
		return nil, reported
	}
	s.held = append([]byte(nil), next...)
	return line, nil
}

// reportedError returns the error that a line of the form {"error": {"code", "message"}} reports, or nil.
func (s *RecordStream) reportedError(line []byte) error {
	if len(line) > readSize || !bytes.Contains(line, []byte(`"error"`)) {
		return nil
	}
	// A struct would also match keys in another case, which a record can have.
	var fields map[string]any
	if json.Unmarshal(line, &fields) != nil || len(fields) != 1 {
		return nil
	}
	report, _ := fields["error"].(map[string]any)
	code, hasCode := report["code"].(string)
	message, hasMessage := report["message"].(string)
	if !hasCode || !hasMessage {
		return nil
	}
	return &StreamInterruptedError{
		Received: s.received,
		Expected: s.Count,
		Code:     s.core.text(code),
		Message:  s.core.text(message),
	}
}

// nextLine returns the next line that is not blank, which is valid until the next call, or io.EOF.
func (s *RecordStream) nextLine() ([]byte, error) {
	if line := s.held; line != nil {
		s.held = nil
		return line, nil
	}
	for {
		line, err := readLine(s.reader.Reader)
		line = bytes.TrimSpace(line)
		if len(line) > 0 && (err == nil || err == io.EOF) {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readLine reads up to the next line feed. The last line may have none.
func readLine(reader *bufio.Reader) ([]byte, error) {
	line, err := reader.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	long := append([]byte(nil), line...)
	for err == bufio.ErrBufferFull {
		if len(long) > largestRecord {
			return nil, fmt.Errorf("a record is larger than %d MiB", largestRecord>>20)
		}
		line, err = reader.ReadSlice('\n')
		long = append(long, line...)
	}
	return long, err
}
