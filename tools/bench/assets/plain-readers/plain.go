// Reads a body of NDJSON with as little code as possible, and prints the number of records and the seconds.
// Ends when its input ends. Usage: plain <url>
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	startedAt := time.Now()
	response, err := http.Post(os.Args[1], "application/json", strings.NewReader("{}"))
	if err != nil {
		panic(err)
	}
	received := 0
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		var record map[string]any
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			panic(err)
		}
		received++
	}
	fmt.Printf("{\"received\": %d, \"seconds\": %f}\n", received, time.Since(startedAt).Seconds())
	io.Copy(io.Discard, os.Stdin)
}
