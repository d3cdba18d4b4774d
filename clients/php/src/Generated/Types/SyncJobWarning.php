<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobWarning of a response. */
final class SyncJobWarning implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'code' => 'string',
        'message' => 'string',
        'field?' => 'string',
    ];

    public readonly string $code;

    public readonly string $message;

    /** Path in the request; only for `constraint_not_applied`. */
    public readonly ?string $field;
}
