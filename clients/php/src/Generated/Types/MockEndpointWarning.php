<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type MockEndpointWarning of a response. */
final class MockEndpointWarning implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'code?' => 'mixed',
        'field' => 'string',
        'message' => 'string',
    ];

    /** @var 'header_reserved'|string|'definition_warning'|string */
    public readonly mixed $code;

    /** Path of the setting. */
    public readonly string $field;

    public readonly string $message;
}
