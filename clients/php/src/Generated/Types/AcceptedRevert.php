<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AcceptedRevert of a response. */
final class AcceptedRevert implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'revert_id' => 'string',
        'status' => 'string',
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
}
