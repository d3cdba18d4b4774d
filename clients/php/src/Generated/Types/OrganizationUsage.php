<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type OrganizationUsage of a response. */
final class OrganizationUsage implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'sync_jobs' => UsageCount::class,
        'endpoints' => UsageCount::class,
        'snapshots' => UsageCount::class,
        'api_calls' => UsageCount::class,
    ];

    /** Jobs that were created this month. Failed jobs count; dry runs do not. */
    public readonly UsageCount $sync_jobs;

    /** Current number of mock endpoints. */
    public readonly UsageCount $endpoints;

    /** Current number of snapshots. */
    public readonly UsageCount $snapshots;

    /** Calls of this month, without `POST /generate`. The number is at most 10 seconds old. */
    public readonly UsageCount $api_calls;
}
