<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobAttemptPhase of a response. */
final class SyncJobAttemptPhase implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'phase' => 'string',
        'started_at' => 'string',
        'ended_at?' => 'string',
    ];

    /**
     * The phase of the job.
     *
     * @var 'preflight'|'training'|'copying'|'indexing'|'verifying'|'switching'|string
     */
    public readonly string $phase;

    /** When the agent first reported this phase. */
    public readonly string $started_at;

    /** When the agent reported the next phase, or the attempt ended; null for the current phase. */
    public readonly ?string $ended_at;
}
