<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type DailyUsage of a response. */
final class DailyUsage implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'first_day' => 'string',
        'last_day' => 'string',
        'days' => [DailyUsageDay::class],
    ];

    /** First day of the range. */
    public readonly string $first_day;

    /** Last day of the range. */
    public readonly string $last_day;

    /**
     * Every day of the range, oldest first.
     *
     * @var list<DailyUsageDay>
     */
    public readonly array $days;
}
