<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type DefinedTable of a response. */
final class DefinedTable implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'columns' => 'map',
        'unlisted_columns?' => 'string',
        'rows?' => 'string',
        'subset?' => DefinedSubset::class,
    ];

    public readonly string $name;

    /**
     * Column name → column rule. A withheld rule is null.
     *
     * @var array<string, mixed>
     */
    public readonly array $columns;

    /**
     * What happens to columns of this table without a rule.
     *
     * @var 'preserve'|'reject'|'null'|string|null
     */
    public readonly ?string $unlisted_columns;

    /**
     * `none` if the table is created without rows. Such tables are the last ones.
     *
     * @var 'none'|string|null
     */
    public readonly ?string $rows;

    public readonly ?DefinedSubset $subset;
}
