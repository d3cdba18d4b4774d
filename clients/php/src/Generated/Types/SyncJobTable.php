<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobTable of a response. */
final class SyncJobTable implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'position' => 'int',
        'name' => 'string',
        'status' => 'string',
        'rows_processed' => 'int',
        'rows_total?' => 'int',
        'bytes_processed' => 'int',
        'bytes_total?' => 'int',
    ];

    /** Index of the table in the request, from 0. */
    public readonly int $position;

    /** Name of the table as written in the request. */
    public readonly string $name;

    /**
     * Status of the table.
     *
     * @var 'pending'|'copying'|'indexing'|'verifying'|'completed'|string
     */
    public readonly string $status;

    /** Number of copied rows. */
    public readonly int $rows_processed;

    /** Rows to copy. An estimate until all rows are copied; null until the agent has inspected the table. */
    public readonly ?int $rows_total;

    /** Bytes of the copied rows, as sent to the target. */
    public readonly int $bytes_processed;

    /** The size of the source table. After all rows are copied, the value of `bytes_processed`. */
    public readonly ?int $bytes_total;
}
