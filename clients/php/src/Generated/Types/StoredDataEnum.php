<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type StoredDataEnum of a response. */
final class StoredDataEnum implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'values' => [StoredDataEnumValue::class],
    ];

    /** Name of the enum. */
    public readonly string $name;

    /** @var list<StoredDataEnumValue> */
    public readonly array $values;
}
