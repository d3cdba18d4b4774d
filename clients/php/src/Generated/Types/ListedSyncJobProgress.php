<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** Progress of all tables. The agent reports it at most once a second. */
final class ListedSyncJobProgress implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'phase?' => 'string',
        'rows_done' => 'int',
        'rows_total?' => 'int',
        'bytes_done' => 'int',
        'bytes_total?' => 'int',
        'rows_per_second?' => 'int',
        'bytes_per_second?' => 'int',
        'estimated_end?' => 'string',
        'build?' => [ListedSyncJobProgressBuildItem::class],
    ];

    /**
     * The current phase. Null while no agent works on the job.
     *
     * @var 'preflight'|'training'|'copying'|'indexing'|'verifying'|'switching'|string|null
     */
    public readonly ?string $phase;

    /** Copied rows of all tables. */
    public readonly int $rows_done;

    /** Rows to copy. An estimate until all rows are copied. */
    public readonly ?int $rows_total;

    /** Copied bytes, as sent to the target. */
    public readonly int $bytes_done;

    /** Bytes to copy. An estimate until all rows are copied. */
    public readonly ?int $bytes_total;

    /**
     * Rows per second: of the last seconds while rows are copied, and of the whole copy after completion.
     * Null otherwise.
     */
    public readonly ?int $rows_per_second;

    /** Bytes per second, like `rows_per_second`. */
    public readonly ?int $bytes_per_second;

    /**
     * Estimated time at which all rows are copied. Indexing and verification follow. Null while it is
     * unknown.
     */
    public readonly ?string $estimated_end;

    /**
     * The phases of a job that builds a database, in their order. Null before the first one, unless an agent
     * works on the job, and if its version does not report them.
     *
     * @var list<ListedSyncJobProgressBuildItem>|null
     */
    public readonly ?array $build;
}
