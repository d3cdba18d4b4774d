<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Revert of a response. */
final class Revert implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'revert_id' => 'string',
        'status' => 'string',
        'created_at' => 'string',
        'ended_at?' => 'string',
        'error?' => RevertError::class,
    ];

    /** Id of the sync job. */
    public readonly string $id;

    /** Id of the revert. */
    public readonly string $revert_id;

    /**
     * Status of the revert.
     *
     * @var 'pending'|'completed'|'failed'|string
     */
    public readonly string $status;

    /** When the request was accepted. */
    public readonly string $created_at;

    /** When the revert ended; null while it is pending. */
    public readonly ?string $ended_at;

    /** Why the revert failed; null unless it failed. Both databases are then as they were before. */
    public readonly ?RevertError $error;
}
