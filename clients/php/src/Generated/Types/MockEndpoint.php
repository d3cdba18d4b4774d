<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type MockEndpoint of a response. */
final class MockEndpoint implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'path' => 'string',
        'method' => 'string',
        'url' => 'string',
        'requests_today' => 'int',
        'created_at' => 'string',
        'auth' => 'string',
        'schema' => 'map',
        'response' => MockResponse::class,
        'warnings' => [MockEndpointWarning::class],
    ];

    /** Id of the mock endpoint, which cannot be guessed. */
    public readonly string $id;

    /** The path as given in the request. */
    public readonly string $path;

    /**
     * The method of the endpoint.
     *
     * @var 'GET'|'POST'|'PUT'|'PATCH'|'DELETE'|string
     */
    public readonly string $method;

    /** URL of the endpoint: `{mock_url}/<id><path>`. */
    public readonly string $url;

    /** Calls since the start of the current UTC day. The number is up to two seconds old. */
    public readonly int $requests_today;

    /** When the endpoint was created. */
    public readonly string $created_at;

    /**
     * `token`: calls need an API token of the organisation.
     *
     * @var 'none'|'token'|string
     */
    public readonly string $auth;

    /**
     * The schema as given in the request.
     *
     * @var array<string, mixed>
     */
    public readonly array $schema;

    public readonly MockResponse $response;

    /**
     * Settings that have no effect, or possibly another one than their author intended. An earlier version
     * may have accepted more. The creation also returns those of the definition in `meta.warnings`.
     *
     * @var list<MockEndpointWarning>
     */
    public readonly array $warnings;
}
