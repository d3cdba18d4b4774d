<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListMockEndpointsResult of a response. */
final class ListMockEndpointsResult implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'endpoints!' => [ListedMockEndpoint::class],
        'total' => 'int',
        'page' => 'int',
        'per_page' => 'int',
    ];

    /** @var list<ListedMockEndpoint> */
    public readonly array $endpoints;

    /** Number of items on all pages. */
    public readonly int $total;

    /** Value from the request, or its default. */
    public readonly int $page;

    /** Value from the request, or its default. */
    public readonly int $per_page;
}
