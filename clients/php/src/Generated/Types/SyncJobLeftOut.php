<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobLeftOut of a response. */
final class SyncJobLeftOut implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'tables' => 'int',
        'foreign_tables' => 'int',
        'views' => 'int',
        'materialized_views' => 'int',
        'functions' => 'int',
        'types' => 'int',
        'sequences' => 'int',
        'schemas' => 'int',
        'extensions' => 'int',
    ];

    /** Ordinary and partitioned tables. */
    public readonly int $tables;

    /** Foreign tables. */
    public readonly int $foreign_tables;

    /** Views. */
    public readonly int $views;

    /** Materialized views. */
    public readonly int $materialized_views;

    /** Functions, procedures and aggregates. */
    public readonly int $functions;

    /** Types, without those that belong to a table or to another type. */
    public readonly int $types;

    /** Sequences, without those of columns. */
    public readonly int $sequences;

    /** Schemas. */
    public readonly int $schemas;

    /** Extensions. */
    public readonly int $extensions;
}
