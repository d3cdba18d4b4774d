<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** A request for `POST /v1/sync/jobs`, without its withheld parts. */
final class DefinedSyncJob implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'source' => DefinedDatabase::class,
        'target' => DefinedDatabase::class,
        'agent?' => AgentSelector::class,
        'tables' => [DefinedTable::class],
        'unlisted_columns' => 'string',
        'unlisted_tables?' => 'string',
        'ignored_tables?' => ['string'],
        'refresh_materialized_views?' => 'bool',
        'source_code?' => 'string',
        'orphans?' => 'string',
        'replace?' => 'string',
        'drop_target_only?' => 'bool',
        'security_definer?' => 'string',
        'large_objects?' => 'string',
        'privileges?' => 'string',
        'owners?' => 'string',
        'publications?' => 'string',
        'end_sessions?' => 'bool',
        'tablespaces?' => 'string',
        'exclude_schemas?' => ['string'],
        'exclude_tables?' => ['string'],
        'skip_objects?' => ['string'],
        'keep_replaced_hours?' => 'int',
        'dry_run' => 'bool',
        'seed' => 'int',
        'now' => 'string',
    ];

    public readonly string $name;

    /** The database to read. */
    public readonly DefinedDatabase $source;

    /** The database to write. */
    public readonly DefinedDatabase $target;

    /** The selected agents; absent if the request selected none. */
    public readonly ?AgentSelector $agent;

    /** @var list<DefinedTable> */
    public readonly array $tables;

    /**
     * What happens to columns without a rule.
     *
     * @var 'preserve'|'reject'|'null'|string
     */
    public readonly string $unlisted_columns;

    /**
     * What happens to tables of the source that the request does not name.
     *
     * @var 'reject'|'warn'|'ignore'|string|null
     */
    public readonly ?string $unlisted_tables;

    /**
     * The tables that are left out on purpose.
     *
     * @var list<string>|null
     */
    public readonly ?array $ignored_tables;

    /** Whether dependent materialized views of the target are refreshed. */
    public readonly ?bool $refresh_materialized_views;

    /**
     * What happens to parts of missing tables that call functions of the source.
     *
     * @var 'omit'|string|null
     */
    public readonly ?string $source_code;

    /**
     * What happens to rows that break a foreign key between tables of the job.
     *
     * @var 'fail'|'skip'|'not_valid'|string|null
     */
    public readonly ?string $orphans;

    /**
     * What the job replaces: the listed tables, or the whole database.
     *
     * @var 'tables'|'database'|string|null
     */
    public readonly ?string $replace;

    /** Whether the job may drop objects that only the target has. */
    public readonly ?bool $drop_target_only;

    /**
     * What happens to functions that are SECURITY DEFINER.
     *
     * @var 'invoker'|'keep'|string|null
     */
    public readonly ?string $security_definer;

    /**
     * What happens to large objects of the source.
     *
     * @var 'fail'|'skip'|'copy'|string|null
     */
    public readonly ?string $large_objects;

    /**
     * The privileges on the objects of the new database.
     *
     * @var 'target'|'source'|'none'|string|null
     */
    public readonly ?string $privileges;

    /**
     * The owners of the objects of the new database.
     *
     * @var 'target'|'source'|string|null
     */
    public readonly ?string $owners;

    /**
     * The publications of the new database.
     *
     * @var 'none'|'source'|string|null
     */
    public readonly ?string $publications;

    /** Whether the job ends the sessions that use the replaced database. */
    public readonly ?bool $end_sessions;

    /**
     * The tablespaces of tables and indexes of the new database.
     *
     * @var 'none'|'source'|string|null
     */
    public readonly ?string $tablespaces;

    /**
     * The schemas of the source that the new database does not get.
     *
     * @var list<string>|null
     */
    public readonly ?array $exclude_schemas;

    /**
     * The tables of the source that the new database does not get.
     *
     * @var list<string>|null
     */
    public readonly ?array $exclude_tables;

    /**
     * Patterns of other objects that the new database does not get.
     *
     * @var list<string>|null
     */
    public readonly ?array $skip_objects;

    /**
     * For how long the replaced database is kept beside the new one, so that a revert can bring it back.
     * With 0, it is dropped. The policy of the agent can lower the value. The next replacement of the target
     * drops it earlier.
     */
    public readonly ?int $keep_replaced_hours;

    /** Whether the job only runs checks. */
    public readonly bool $dry_run;

    /** Random seed, also if the control plane chose it. */
    public readonly int $seed;

    /** Reference instant of relative dates, also if the control plane chose it. */
    public readonly string $now;
}
