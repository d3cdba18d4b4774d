<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListSnapshotRestoresResult of a response. */
final class ListSnapshotRestoresResult implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'restores!' => [Restore::class],
        'total' => 'int',
        'page' => 'int',
        'per_page' => 'int',
    ];

    /** @var list<Restore> */
    public readonly array $restores;

    /** Number of items on all pages. */
    public readonly int $total;

    /** Value from the request, or its default. */
    public readonly int $page;

    /** Value from the request, or its default. */
    public readonly int $per_page;
}
