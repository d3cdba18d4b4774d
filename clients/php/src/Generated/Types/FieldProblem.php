<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type FieldProblem of a response. */
final class FieldProblem implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'field' => 'string',
        'message' => 'string',
    ];

    public readonly string $field;

    public readonly string $message;
}
