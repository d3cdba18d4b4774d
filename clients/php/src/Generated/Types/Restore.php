<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Restore of a response. */
final class Restore implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'restore_id' => 'string',
        'target_database' => 'string',
        'status' => 'string',
        'started_at?' => 'string',
        'completed_at?' => 'string',
        'attempts' => 'int',
        'agent?' => AgentReference::class,
        'agent_id?' => 'string',
        'error?' => Failure::class,
        'overwrite' => 'bool',
        'progress' => SnapshotProgress::class,
        'created_at' => 'string',
    ];

    /** Id of the snapshot. */
    public readonly string $id;

    /** Id of the restore. */
    public readonly string $restore_id;

    /** Name of the target database, never a URL. */
    public readonly string $target_database;

    /**
     * Status of the restore. It stays `running` during retries.
     *
     * @var 'pending'|'running'|'completed'|'failed'|string
     */
    public readonly string $status;

    /** When an agent first started the work; null before. */
    public readonly ?string $started_at;

    /** When the work ended, also if it failed; null before. */
    public readonly ?string $completed_at;

    /** Number of attempts. */
    public readonly int $attempts;

    /** The selected agents; null if any agent that offers the databases may run the work. */
    public readonly ?AgentReference $agent;

    /** The agent of the last attempt. */
    public readonly ?string $agent_id;

    /** Why the work failed; null unless it failed. */
    public readonly ?Failure $error;

    public readonly bool $overwrite;

    /** Progress of the current attempt, or of the last one. */
    public readonly SnapshotProgress $progress;

    /** When the request was accepted. */
    public readonly string $created_at;
}
