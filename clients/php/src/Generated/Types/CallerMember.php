<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type CallerMember of a response. */
final class CallerMember implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'email' => 'string',
    ];

    /** Id of the member. */
    public readonly string $id;

    public readonly string $email;
}
