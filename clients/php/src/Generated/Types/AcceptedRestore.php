<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AcceptedRestore of a response. */
final class AcceptedRestore implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'restore_id' => 'string',
        'target_database' => 'string',
        'status' => 'string',
    ];

    /** Id of the snapshot. */
    public readonly string $id;

    /** Id of the restore. */
    public readonly string $restore_id;

    /** Name of the target database, never a URL. */
    public readonly string $target_database;

    /**
     * Status of the restore. It stays `running` during retries.
     *
     * @var 'pending'|'running'|'completed'|'failed'|string
     */
    public readonly string $status;
}
