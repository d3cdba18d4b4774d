<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type OrganizationWarning of a response. */
final class OrganizationWarning implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'code' => 'string',
        'message' => 'string',
        'webhook_id' => 'string',
    ];

    /**
     * Stable code of the warning.
     *
     * @var 'webhook_disabled'|string
     */
    public readonly string $code;

    public readonly string $message;

    /** The webhook that the warning is about. */
    public readonly string $webhook_id;
}
