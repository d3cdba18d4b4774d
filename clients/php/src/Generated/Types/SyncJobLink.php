<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobLink of a response. */
final class SyncJobLink implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'last_heard_at?' => 'string',
        'grace_period_seconds' => 'int',
        'held_until' => 'string',
        'snapshot_taken_at?' => 'string',
    ];

    /** When the agent last reported that it works on the job; null before the first report. */
    public readonly ?string $last_heard_at;

    /**
     * The grace period: how much longer than usual the agent keeps the job without contact. 0 if another
     * agent could run the job when this agent got it.
     */
    public readonly int $grace_period_seconds;

    /** When another agent can get the job if this agent does not report again. */
    public readonly string $held_until;

    /**
     * Since when the agent has held a snapshot of the source, which prevents VACUUM from removing old rows
     * there. Null if it holds none.
     */
    public readonly ?string $snapshot_taken_at;
}
