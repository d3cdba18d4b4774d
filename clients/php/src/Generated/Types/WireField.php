<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type WireField of a response. */
final class WireField implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'type' => 'string',
        'kind' => 'string',
        'repeated' => 'bool',
        'description' => 'string',
        'reviewed?' => 'string',
        'stored_in' => ['string'],
    ];

    /** Name of the field. */
    public readonly string $name;

    /** Type of the field: a scalar type of protobuf, a message or an enum. */
    public readonly string $type;

    /**
     * Kind of the values. Only `text` can hold text.
     *
     * @var 'number'|'hash'|'flag'|'choice'|'text'|'time'|'message'|string
     */
    public readonly string $kind;

    /** Whether the field is a list. */
    public readonly bool $repeated;

    /** Comment of the schema. Empty if it has none. */
    public readonly string $description;

    /** Reason why the field can contain nothing from a row. Null for fields whose type needs no review. */
    public readonly ?string $reviewed;

    /**
     * Paths of the facts that contain the field. Empty for nested messages and for what is not stored.
     *
     * @var list<string>
     */
    public readonly array $stored_in;
}
