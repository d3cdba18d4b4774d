<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobTablePage of a response. */
final class SyncJobTablePage implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'tables' => [SyncJobTable::class],
        'revision' => 'int',
        'total' => 'int',
        'page' => 'int',
        'per_page' => 'int',
    ];

    /** @var list<SyncJobTable> */
    public readonly array $tables;

    /**
     * Number that grows with every change of a table of the job. Pass it as `changed_since` to get the later
     * changes. If you read several pages, use the `revision` of the first one.
     */
    public readonly int $revision;

    /** Number of tables that match the filter. */
    public readonly int $total;

    /** Value from the request, or its default. */
    public readonly int $page;

    /** Value from the request, or its default. */
    public readonly int $per_page;
}
