<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type WebhookRecovery of a response. */
final class WebhookRecovery implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'resent' => 'int',
        'has_more' => 'bool',
    ];

    /** Number of events that are sent again. */
    public readonly int $resent;

    /** Whether failed deliveries remain. Send the request again to send them. */
    public readonly bool $has_more;
}
