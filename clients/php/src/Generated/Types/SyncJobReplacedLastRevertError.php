<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobReplacedLastRevertError of a response. */
final class SyncJobReplacedLastRevertError implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'code' => 'string',
        'message' => 'string',
    ];

    /** Stable error code. */
    public readonly string $code;

    public readonly string $message;
}
