<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** Progress of the current attempt, or of the last one. */
final class SnapshotProgress implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'phase?' => 'string',
        'tables_done' => 'int',
        'tables_total?' => 'int',
        'bytes_done' => 'int',
        'bytes_total?' => 'int',
    ];

    /**
     * The current phase. Null while no agent works on it.
     *
     * @var 'preflight'|'dumping'|'finishing'|string|null
     */
    public readonly ?string $phase;

    /** Tables that are finished. */
    public readonly int $tables_done;

    /** All tables. Null until the agent has counted them. */
    public readonly ?int $tables_total;

    /** Bytes of rows that are finished, before compression. */
    public readonly int $bytes_done;

    /** All bytes of rows, before compression. An estimate until the work is finished. */
    public readonly ?int $bytes_total;
}
