<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobAttempt of a response. */
final class SyncJobAttempt implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'number' => 'int',
        'agent_id?' => 'string',
        'started_at' => 'string',
        'ended_at?' => 'string',
        'outcome?' => 'string',
        'error_code?' => 'string',
        'phases' => [SyncJobAttemptPhase::class],
    ];

    /** Number of the attempt, from 1. */
    public readonly int $number;

    /** The agent that got the job. */
    public readonly ?string $agent_id;

    /** When the agent got the job. */
    public readonly string $started_at;

    /** When the attempt ended; null while the agent has the job. */
    public readonly ?string $ended_at;

    /**
     * How the attempt ended; null while the agent has the job.
     *
     * @var 'completed'|'failed'|'connection_lost'|'returned'|string|null
     */
    public readonly ?string $outcome;

    /** Code of the error that ended the attempt. Null without an error, and if the agent restarted. */
    public readonly ?string $error_code;

    /**
     * Phases that the agent reported. It reports at most once a second.
     *
     * @var list<SyncJobAttemptPhase>
     */
    public readonly array $phases;
}
