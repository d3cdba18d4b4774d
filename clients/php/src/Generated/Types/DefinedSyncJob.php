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

    /** Whether the job only runs checks. */
    public readonly bool $dry_run;

    /** Random seed, also if the control plane chose it. */
    public readonly int $seed;

    /** Reference instant of relative dates, also if the control plane chose it. */
    public readonly string $now;
}
