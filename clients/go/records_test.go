package understudy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// endless sends records until the client closes the connection, and then closes the channel.
func endless(closed chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		w.Header().Set("X-Generation-Count", "1000000000")
		for {
			if _, err := fmt.Fprintln(w, `{"id":9007199254740993}`); err != nil {
				break
			}
		}
		close(closed)
	}
}

func TestClosingAStreamClosesItsConnection(t *testing.T) {
	closed := make(chan struct{})
	client := serve(t, endless(closed))
	stream, err := client.GenerateStream(context.Background(), GenerateSchema{}, 1000000000)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 10 && stream.Next(); i++ {
	}
	if text := fmt.Sprint(stream.Record()["id"]); text != "9007199254740993" {
		t.Errorf("got the record %s", text)
	}
	if err := stream.Close(); err != nil {
		t.Error(err)
	}
	<-closed
	if stream.Next() || stream.Err() != nil {
		t.Errorf("expected the end without an error, got %v", stream.Err())
	}
}

func TestCancellingTheContextEndsAStream(t *testing.T) {
	closed := make(chan struct{})
	client := serve(t, endless(closed))
	ctx, cancel := context.WithCancel(context.Background())
	stream, err := client.GenerateStream(ctx, GenerateSchema{}, 1000000000)
	if err != nil {
		t.Fatal(err)
	}
	if !stream.Next() {
		t.Fatal(stream.Err())
	}
	cancel()
	for stream.Next() {
	}
	<-closed
	var interrupted *StreamInterruptedError
	if !errors.Is(stream.Err(), context.Canceled) || !errors.As(stream.Err(), &interrupted) {
		t.Errorf("expected a *StreamInterruptedError with context.Canceled, got %v", stream.Err())
	}
	if interrupted.Received < 1 || interrupted.Expected != 1000000000 {
		t.Errorf("got %+v", interrupted)
	}
}

func TestARecordIsDecodedIntoAStruct(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
		w.Header().Set("X-Generation-Count", "1")
		fmt.Fprintln(w, `{"id":"a","age":7,"note":"`+strings.Repeat("ü", 100000)+`"}`)
	})
	stream, err := client.GenerateStream(context.Background(), GenerateSchema{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var person struct {
		ID   string
		Age  int
		Note string
	}
	if !stream.Next() || stream.Decode(&person) != nil || person.ID != "a" || person.Age != 7 || len(person.Note) != 200000 {
		t.Errorf("got %q, %d, %d bytes, %v", person.ID, person.Age, len(person.Note), stream.Err())
	}
	if stream.Next() || stream.Err() != nil {
		t.Errorf("expected the end, got %v", stream.Err())
	}
}

func TestAnIncompleteFileNeverAppears(t *testing.T) {
	rows := "1\r\n\"two\r\nlines\"\r\n"
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("X-Generation-Count", "3")
		fmt.Fprint(w, "id\r\n"+rows)
	})
	folder := t.TempDir()
	path := filepath.Join(folder, "people.csv")
	err := client.GenerateCSVFile(context.Background(), path, GenerateSchema{}, 3)
	var interrupted *StreamInterruptedError
	if !errors.As(err, &interrupted) || interrupted.Received != 2 || interrupted.Expected != 3 {
		t.Errorf("expected 2 of 3 records, got %v", err)
	}
	rows += "3\r\n"
	if files, _ := os.ReadDir(folder); len(files) != 0 {
		t.Errorf("expected an empty folder, got %v", files)
	}
	if err := client.GenerateCSVFile(context.Background(), path, GenerateSchema{}, 3); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "id\r\n"+rows {
		t.Errorf("got %q, %v", text, err)
	}
}
