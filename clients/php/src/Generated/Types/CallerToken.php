<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type CallerToken of a response. */
final class CallerToken implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'expires_at' => 'string',
    ];

    /** Id of the token. */
    public readonly string $id;

    public readonly string $name;

    /** When the token expires. */
    public readonly string $expires_at;
}
