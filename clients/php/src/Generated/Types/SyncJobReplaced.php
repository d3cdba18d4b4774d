<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobReplaced of a response. */
final class SyncJobReplaced implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'kept_until' => 'string',
        'reverted_at?' => 'string',
        'last_revert?' => SyncJobReplacedLastRevert::class,
    ];

    /** Until when the replaced database is kept, unless the target is replaced again. */
    public readonly string $kept_until;

    /** When the target got back the content that it had before the job; null while it has that of the job. */
    public readonly ?string $reverted_at;

    /** The newest revert of the job. Null if there is none. */
    public readonly ?SyncJobReplacedLastRevert $last_revert;
}
