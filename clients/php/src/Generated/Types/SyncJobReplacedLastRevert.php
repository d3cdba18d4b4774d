<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobReplacedLastRevert of a response. */
final class SyncJobReplacedLastRevert implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'revert_id' => 'string',
        'status' => 'string',
        'error?' => SyncJobReplacedLastRevertError::class,
    ];

    /** Id of the revert. */
    public readonly string $revert_id;

    /**
     * Status of the revert.
     *
     * @var 'pending'|'completed'|'failed'|string
     */
    public readonly string $status;

    /** Why the revert failed; null unless it failed. Both databases are then as they were before. */
    public readonly ?SyncJobReplacedLastRevertError $error;
}
