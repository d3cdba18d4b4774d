<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type WebhookDeliveryTry of a response. */
final class WebhookDeliveryTry implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'at' => 'string',
        'status_code?' => 'int',
        'error?' => 'string',
        'duration_ms' => 'int',
    ];

    /** When the attempt started. */
    public readonly string $at;

    /** HTTP status of the receiver's response; null without a response. */
    public readonly ?int $status_code;

    /**
     * Why the attempt failed; null for a successful attempt.
     *
     * @var 'http_status'|'timeout'|'address_refused'|'dns_failed'|'connection_failed'|'tls_failed'|'invalid_response'|'secret_unreadable'|string|null
     */
    public readonly ?string $error;

    /** Duration of the attempt in milliseconds. */
    public readonly int $duration_ms;
}
