<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobSubset of a response. */
final class SyncJobSubset implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'where_length?' => 'int',
        'limit?' => 'int',
    ];

    /** Name of the table as written in the request. */
    public readonly string $name;

    /** Length of the `where` in characters; null without a `where`. The condition itself is not shown. */
    public readonly ?int $where_length;

    /** The `limit`; null without one. */
    public readonly ?int $limit;
}
