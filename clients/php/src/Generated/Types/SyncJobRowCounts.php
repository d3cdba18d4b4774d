<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobRowCounts of a response. */
final class SyncJobRowCounts implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'source' => 'int',
        'copied' => 'int',
        'target' => 'int',
    ];

    /** Rows in the source's snapshot. */
    public readonly int $source;

    /** Rows that the committed chunks copied. */
    public readonly int $copied;

    /** Rows in the staged table before the switch. */
    public readonly int $target;
}
