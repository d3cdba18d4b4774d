<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type StoredDataEnumValue of a response. */
final class StoredDataEnumValue implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'description' => 'string',
    ];

    /** Name of the value. */
    public readonly string $name;

    /** Comment of the schema. Empty if it has none. */
    public readonly string $description;
}
