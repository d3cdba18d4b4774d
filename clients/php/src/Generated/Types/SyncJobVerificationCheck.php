<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobVerificationCheck of a response. */
final class SyncJobVerificationCheck implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'check' => 'string',
        'table' => 'string',
        'ok' => 'bool',
        'column?' => 'string',
        'looked_at?' => 'int',
        'rows?' => SyncJobRowCounts::class,
    ];

    /**
     * What was checked.
     *
     * @var 'row_count'|'preserved_columns'|'nulled_columns'|'masked_columns'|'joins'|'foreign_keys'|'sequences'|'other'|string
     */
    public readonly string $check;

    public readonly string $table;

    public readonly bool $ok;

    /** The column of a failed check; null otherwise. */
    public readonly ?string $column;

    /** Number of checked columns, keys or sequences; null for a count of rows. */
    public readonly ?int $looked_at;

    /** Row counts of the check `row_count`; null otherwise. */
    public readonly ?SyncJobRowCounts $rows;
}
