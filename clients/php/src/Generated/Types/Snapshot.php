<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Snapshot of a response. */
final class Snapshot implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'database' => 'string',
        'status' => 'string',
        'size_bytes' => 'int',
        'tables' => ['string'],
        'created_at' => 'string',
        'expires_at' => 'string',
        'started_at?' => 'string',
        'completed_at?' => 'string',
        'attempts' => 'int',
        'agent?' => AgentReference::class,
        'agent_id?' => 'string',
        'error?' => Failure::class,
        'table_count?' => 'int',
        'server_version?' => 'int',
        'progress' => SnapshotProgress::class,
        'warnings' => [SnapshotWarning::class],
    ];

    /** Id of the snapshot. */
    public readonly string $id;

    public readonly string $name;

    /** Name of the database, never a URL. */
    public readonly string $database;

    /**
     * Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent has erased it, and is
     * not found afterwards.
     *
     * @var 'creating'|'ready'|'failed'|'expired'|'deleting'|string
     */
    public readonly string $status;

    /** Stored size, after compression and encryption. 0 until the snapshot is ready. */
    public readonly int $size_bytes;

    /**
     * The requested tables as written in the request. For a snapshot of all tables, the tables that it
     * contains, after it is ready. The agent's policy can hide these names.
     *
     * @var list<string>
     */
    public readonly array $tables;

    /** When the request was accepted. */
    public readonly string $created_at;

    /** When the snapshot expires and is erased. */
    public readonly string $expires_at;

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

    /** Number of tables in the snapshot; null until it is ready. */
    public readonly ?int $table_count;

    /**
     * `server_version_num` of the source database's server. The snapshot cannot be restored into an older
     * server.
     */
    public readonly ?int $server_version;

    /** Progress of the current attempt, or of the last one. */
    public readonly SnapshotProgress $progress;

    /** @var list<SnapshotWarning> */
    public readonly array $warnings;
}
