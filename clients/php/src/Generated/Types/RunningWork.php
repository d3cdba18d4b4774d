<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type RunningWork of a response. */
final class RunningWork implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'type' => 'string',
        'id' => 'string',
        'leased_at' => 'string',
        'held_until' => 'string',
    ];

    /**
     * Kind of the work.
     *
     * @var 'sync_job'|'snapshot'|'restore'|string
     */
    public readonly string $type;

    /** Id of the sync job, the snapshot or the restore. */
    public readonly string $id;

    /** Time at which the agent got the work. */
    public readonly string $leased_at;

    /** Time until which no other agent gets the work. Each heartbeat extends it. */
    public readonly string $held_until;
}
