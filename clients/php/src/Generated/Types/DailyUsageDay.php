<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type DailyUsageDay of a response. */
final class DailyUsageDay implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'day' => 'string',
        'api_calls' => 'int',
        'sync_jobs' => 'int',
        'mock_calls' => 'int',
    ];

    /** A day in UTC. */
    public readonly string $day;

    /** Calls that count for the plan. The number is at most 10 seconds old. */
    public readonly int $api_calls;

    /** Jobs that were created. Failed and deleted jobs count; dry runs do not. */
    public readonly int $sync_jobs;

    /** Calls of mock endpoints. The number is up to two seconds old. */
    public readonly int $mock_calls;
}
