<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Deleted of a response. */
final class Deleted implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'deleted' => 'bool',
        'id' => 'string',
    ];

    public readonly bool $deleted;

    /** Id of the deleted resource. */
    public readonly string $id;
}
