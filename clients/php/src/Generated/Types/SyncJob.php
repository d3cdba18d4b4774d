<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJob of a response. */
final class SyncJob implements \JsonSerializable
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
        'run_of?' => 'string',
        'seed' => 'int',
        'now' => 'string',
        'unlisted_columns' => 'string',
        'progress' => SyncJobProgress::class,
        'unlisted_tables' => 'string',
        'refresh_materialized_views' => 'bool',
        'source_code?' => 'string',
        'orphans' => 'string',
        'subset' => [SyncJobSubset::class],
        'table_counts' => SyncJobTableCounts::class,
        'table_progress' => [SyncJobTableProgress::class],
        'phases' => [SyncJobPhase::class],
        'verification?' => SyncJobVerification::class,
        'attempt_history' => [SyncJobAttempt::class],
        'attempts' => 'int',
        'agent?' => AgentReference::class,
        'link?' => SyncJobLink::class,
        'models' => [SyncJobModel::class],
        'generators' => [SyncJobGenerator::class],
        'prediction?' => SyncJobPrediction::class,
        'replaced?' => SyncJobReplaced::class,
        'left_out?' => SyncJobLeftOut::class,
        'error?' => SyncJobError::class,
        'warnings' => [SyncJobWarning::class],
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

    /** The job that this one repeats. It may have been deleted. */
    public readonly ?string $run_of;

    /** Random seed. */
    public readonly int $seed;

    /** Reference instant of relative dates. */
    public readonly string $now;

    /**
     * What happens to columns without a rule.
     *
     * @var 'preserve'|'reject'|'null'|string
     */
    public readonly string $unlisted_columns;

    /** Progress of all tables. The agent reports it at most once a second. */
    public readonly SyncJobProgress $progress;

    /**
     * What happens to tables of the source that the request neither lists nor ignores.
     *
     * @var 'reject'|'warn'|'ignore'|string
     */
    public readonly string $unlisted_tables;

    /** Whether materialized views of the target that depend on replaced tables are refreshed. */
    public readonly bool $refresh_materialized_views;

    /**
     * What happens to parts of missing tables that call functions of the source; null if the policy of the
     * agent decides.
     *
     * @var 'omit'|string|null
     */
    public readonly ?string $source_code;

    /**
     * What happens to rows that break a foreign key between tables of the job.
     *
     * @var 'fail'|'skip'|'not_valid'|string
     */
    public readonly string $orphans;

    /**
     * Tables with a subset. All rows of the other tables are requested.
     *
     * @var list<SyncJobSubset>
     */
    public readonly array $subset;

    /** Number of tables with each status. */
    public readonly SyncJobTableCounts $table_counts;

    /** @var list<SyncJobTableProgress> */
    public readonly array $table_progress;

    /**
     * Durations of the phases of the successful attempt. Empty until the job has completed. Indexes are
     * built while copied rows are verified. This shared time counts as `verifying`, and only the rest of
     * indexing counts as `indexing`.
     *
     * @var list<SyncJobPhase>
     */
    public readonly array $phases;

    /**
     * The checks of the copy before the target changes. Null before these checks, and if the job failed
     * before them.
     */
    public readonly ?SyncJobVerification $verification;

    /**
     * The newest attempts, oldest first, including those that lost only their connection. Attempts from
     * before an upgrade to this version are missing.
     *
     * @var list<SyncJobAttempt>
     */
    public readonly array $attempt_history;

    /** Number of attempts. An attempt that lost only its connection does not count. */
    public readonly int $attempts;

    /** The selected agents; null if any agent that offers the databases may run the work. */
    public readonly ?AgentReference $agent;

    /** The connection to the agent that has the job; null if no agent has it. */
    public readonly ?SyncJobLink $link;

    /**
     * Models that the job trained, and uploaded models that it uses.
     *
     * @var list<SyncJobModel>
     */
    public readonly array $models;

    /**
     * Registered compositions that the job uses, in the versions that it was accepted with.
     *
     * @var list<SyncJobGenerator>
     */
    public readonly array $generators;

    /** Result of a completed dry run; null otherwise. */
    public readonly ?SyncJobPrediction $prediction;

    /** The database that the job has replaced and that is kept. Null if there is none. */
    public readonly ?SyncJobReplaced $replaced;

    /**
     * Numbers of objects of the source that the target does not have after the job, or would not have after
     * the job of a dry run. Partitions and objects of extensions do not count. Null if no agent has counted
     * them. Only the log of the agent has their names.
     */
    public readonly ?SyncJobLeftOut $left_out;

    /** Why the job failed; null unless it failed. */
    public readonly ?SyncJobError $error;

    /** @var list<SyncJobWarning> */
    public readonly array $warnings;
}
