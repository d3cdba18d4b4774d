<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** Jobs that were created this month. Failed jobs count; dry runs do not. */
final class UsageCount implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'used' => 'int',
        'limit' => 'int',
    ];

    /** Usage of this month, or the current number. */
    public readonly int $used;

    /** Limit of the plan. */
    public readonly int $limit;
}
