<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListedSnapshot of a response. */
final class ListedSnapshot implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'database' => 'string',
        'status' => 'string',
        'size_bytes' => 'int',
        'tables' => ['string'],
        'created_at' => 'string',
        'expires_at' => 'string',
    ];

    /** Id of the snapshot. */
    public readonly string $id;

    public readonly string $name;

    /** Name of the database, never a URL. */
    public readonly string $database;

    /**
     * Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent has erased it, and is
     * not found afterwards.
     *
     * @var 'creating'|'ready'|'failed'|'expired'|'deleting'|string
     */
    public readonly string $status;

    /** Stored size, after compression and encryption. 0 until the snapshot is ready. */
    public readonly int $size_bytes;

    /**
     * The requested tables as written in the request. For a snapshot of all tables, the tables that it
     * contains, after it is ready. The agent's policy can hide these names.
     *
     * @var list<string>
     */
    public readonly array $tables;

    /** When the request was accepted. */
    public readonly string $created_at;

    /** When the snapshot expires and is erased. */
    public readonly string $expires_at;
}
