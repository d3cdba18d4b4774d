<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->mockEndpoints`. */
final class MockEndpoints
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the mock endpoints.
     *
     * The newest endpoints come first.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `endpoints:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListMockEndpointsResult
    {
        return $this->caller->call('listMockEndpoints', Types\ListMockEndpointsResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\ListedMockEndpoint>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'endpoints', $query);
    }

    /**
     * Creates a mock endpoint.
     *
     * The schema and the wrapper are compiled before the response. The endpoint is served immediately at
     * `url`; see docs/guides/mock-endpoints.md. Custom models that the endpoint uses cannot be deleted while
     * it exists. The endpoint keeps the current versions of the registered compositions that it uses.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `endpoints:write`.
     *
     * Fields of `$body`:
     * - `path`: Path of the endpoint. A segment that starts with a colon is a parameter, which matches any
     *   value.
     * - `method`: The method of the endpoint. GET includes HEAD.
     * - `schema`: The schema of the records, as in `POST /generate`. Generators can refer to `params`.
     * - `response`: The response of the endpoint.
     * - `response.count`: Number of records in a response. A caller can request another number with
     *   `?count=`, up to 1,000. The limits of `POST /generate` apply, and a response has at most 8 MiB.
     * - `response.wrapper`: The body of the response: JSON whose strings are templates. A string that is one
     *   whole expression, such as `{{records}}` or `{{count}}`, keeps the type of its value. `params` holds
     *   the parameters of the path. By default, the body is the array of records.
     * - `response.status`: Status of the response. Redirects (300 to 399) are refused.
     * - `response.headers`: Additional headers of the response. Headers that control encoding, access or
     *   browser behaviour are refused.
     * - `response.latency_ms`: Delay of the response in milliseconds: a fixed number, or a range from which
     *   each call gets a random delay.
     * - `response.fail_rate`: Share of the calls that fail with status 500, from 0 to 1.
     * - `auth`: `token`: calls need an API token of the organisation. `none`: the URL is enough.
     *
     * @param array{
     *     path: string,
     *     method: 'GET'|'POST'|'PUT'|'PATCH'|'DELETE'|string,
     *     schema: array<string, mixed>,
     *     response?: array{
     *         count?: int,
     *         wrapper?: mixed,
     *         status?: int,
     *         headers?: array<string, string>,
     *         latency_ms?: int|array{min: int, max: int},
     *         fail_rate?: int|float,
     *     },
     *     auth?: 'none'|'token'|string,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function create(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\MockEndpoint
    {
        return $this->caller->call('createMockEndpoint', Types\MockEndpoint::class, body: $body, options: $options);
    }

    /**
     * Shows a mock endpoint and its schema.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `endpoints:read`.
     *
     * @param string $id Id of a mock endpoint.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\MockEndpoint
    {
        return $this->caller->call('getMockEndpoint', Types\MockEndpoint::class, [$id], options: $options);
    }

    /**
     * Deletes a mock endpoint.
     *
     * The URL of the endpoint then returns 404. Other servers do so within a second.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `endpoints:write`.
     *
     * @param string $id Id of a mock endpoint.
     * @throws \Understudy\UnderstudyError
     */
    public function delete(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('deleteMockEndpoint', Types\Deleted::class, [$id], options: $options);
    }
}
