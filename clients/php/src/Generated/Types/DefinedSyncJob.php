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

    /** Whether the job only runs checks. */
    public readonly bool $dry_run;

    /** Random seed, also if the control plane chose it. */
    public readonly int $seed;

    /** Reference instant of relative dates, also if the control plane chose it. */
    public readonly string $now;
}
