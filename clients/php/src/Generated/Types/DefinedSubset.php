<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type DefinedSubset of a response. */
final class DefinedSubset implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'where?' => 'mixed',
        'limit?' => 'int',
    ];

    /** Null, because conditions are withheld; absent without one. */
    public readonly mixed $where;

    public readonly ?int $limit;
}
