package understudy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// GenerateCSV returns count records as a CSV file with a header line, as in RFC 4180. It accepts the same
// arguments as Generate.
func (c *Client) GenerateCSV(ctx context.Context, schema any, count int64, opts ...CallOption) ([]byte, error) {
	var file bytes.Buffer
	if err := c.GenerateCSVTo(ctx, &file, schema, count, opts...); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// GenerateCSVFile writes count records to a file. The file appears under its name only when it is complete,
// and replaces an existing one.
func (c *Client) GenerateCSVFile(ctx context.Context, path string, schema any, count int64, opts ...CallOption) error {
	partial := fmt.Sprintf("%s.%s.part", path, newUUID())
	file, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = c.GenerateCSVTo(ctx, file, schema, count, opts...)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(partial, path)
	}
	if err != nil {
		_ = os.Remove(partial)
	}
	return err
}

// GenerateCSVTo writes count records to w. After an error, w has received a part of the file.
func (c *Client) GenerateCSVTo(ctx context.Context, w io.Writer, schema any, count int64, opts ...CallOption) error {
	response, err := c.generate(ctx, schema, count, "csv", "text/csv", opts)
	if err != nil {
		return err
	}
	defer response.records.Close()
	rows := rowCounter{expected: readMetadata(response, count).Count}
	buffer := make([]byte, readSize)
	for {
		n, err := response.records.Read(buffer)
		if _, failure := w.Write(buffer[:n]); failure != nil {
			return failure
		}
		if problem := rows.add(buffer[:n]); problem != nil {
			err = problem
		}
		if err == io.EOF && rows.size == 0 && rows.records() == rows.expected {
			return nil
		}
		if err == io.EOF {
			return rows.interrupted(nil)
		}
		if err != nil {
			return rows.interrupted(err)
		}
	}
}

// rowCounter counts the rows of a CSV file. A line feed within quotes does not end a row.
type rowCounter struct {
	expected int64
	complete int64
	size     int
	isQuoted bool
}

func (c *rowCounter) add(text []byte) error {
	for _, b := range text {
		c.size++
		switch {
		case b == '"':
			c.isQuoted = !c.isQuoted
		case b == '\n' && !c.isQuoted:
			c.complete++
			c.size = 0
		}
	}
	if c.size > largestRecord {
		return fmt.Errorf("a record is larger than %d MiB", largestRecord>>20)
	}
	if c.records() > c.expected {
		return errors.New("more records arrived than the server announced")
	}
	return nil
}

// records returns the number of rows after the header line. The last one may not be complete.
func (c *rowCounter) records() int64 {
	rows := c.complete
	if c.size > 0 {
		rows++
	}
	if rows == 0 {
		return 0
	}
	return rows - 1
}

func (c *rowCounter) interrupted(cause error) error {
	received := c.complete - 1
	if received < 0 {
		received = 0
	}
	return &StreamInterruptedError{Received: received, Expected: c.expected, cause: cause}
}
