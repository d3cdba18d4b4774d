<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListedSyncJob of a response. */
final class ListedSyncJob implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'status' => 'string',
        'source' => 'string',
        'target' => 'string',
        'tables' => ['string'],
        'table_count' => 'int',
        'rows_processed' => 'int',
        'created_at' => 'string',
        'started_at?' => 'string',
        'completed_at?' => 'string',
        'agent_id?' => 'string',
        'error_code?' => 'string',
        'cancel_requested_at?' => 'string',
        'dry_run' => 'bool',
        'prediction?' => ListedSyncJobPrediction::class,
        'progress?' => ListedSyncJobProgress::class,
    ];

    /** Id of the job. */
    public readonly string $id;

    public readonly string $name;

    /**
     * Status of the job. It stays `running` during retries.
     *
     * @var 'pending'|'running'|'completed'|'failed'|string
     */
    public readonly string $status;

    /** Source database. A URL is shown without its password. */
    public readonly string $source;

    /** Target database. A URL is shown without its password. */
    public readonly string $target;

    /**
     * Table names as written in the request. Empty with `tables=none`.
     *
     * @var list<string>
     */
    public readonly array $tables;

    /** Number of tables. */
    public readonly int $table_count;

    /** Number of copied rows of all tables. */
    public readonly int $rows_processed;

    /** When the request was accepted. */
    public readonly string $created_at;

    /** When an agent first started the job; null before. */
    public readonly ?string $started_at;

    /** When the job ended, also if it failed; null before. */
    public readonly ?string $completed_at;

    /** The agent of the last attempt. */
    public readonly ?string $agent_id;

    /** Stable code of the error that the job failed with; null otherwise. */
    public readonly ?string $error_code;

    /**
     * When the job was cancelled by a request; null otherwise. An agent without contact receives the request
     * when it is back.
     */
    public readonly ?string $cancel_requested_at;

    /** Whether the job only runs checks and copies nothing. */
    public readonly bool $dry_run;

    /** Outcome of a completed dry run; null otherwise. */
    public readonly ?ListedSyncJobPrediction $prediction;

    /** Progress of a running job; null for any other job. */
    public readonly ?ListedSyncJobProgress $progress;
}
