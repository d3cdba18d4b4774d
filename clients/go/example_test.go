package understudy_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/understudy/understudy-go"
)

func ExampleClient_Generate() {
	client, err := understudy.New() // UNDERSTUDY_API_URL and UNDERSTUDY_API_TOKEN
	if err != nil {
		log.Fatal(err)
	}
	records, err := client.Generate(context.Background(), understudy.GenerateSchema{
		Generators: map[string]any{"id": map[string]any{"type": "svc", "algorithm": "uuid_v4"}},
		Output:     []string{"id"},
	}, 5, understudy.WithSeed(42))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(records))
}

func ExampleAPIError() {
	client, err := understudy.New()
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Jobs.Get(context.Background(), "job_1", understudy.GetSyncJobParams{})
	var refused *understudy.APIError
	switch {
	case errors.Is(err, understudy.ErrNotFound):
		fmt.Println("there is no such job")
	case errors.As(err, &refused):
		fmt.Println(refused.Code, refused.RequestID)
	}
}

func ExamplePager() {
	client, err := understudy.New()
	if err != nil {
		log.Fatal(err)
	}
	pager := client.Jobs.Iterate(context.Background(), understudy.ListSyncJobsParams{
		Status: string(understudy.SyncJobStatusFailed),
	})
	for pager.Next() {
		fmt.Println(pager.Item().Name)
	}
	if err := pager.Err(); err != nil {
		log.Fatal(err)
	}
}
