<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type WebhookDeliveryRequest of a response. */
final class WebhookDeliveryRequest implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'url' => 'string',
        'headers' => 'map',
    ];

    /** The URL of the webhook at the time of the attempt. */
    public readonly string $url;

    /**
     * All headers with their signatures, except `Host` and `Connection`.
     *
     * @var array<string, string>
     */
    public readonly array $headers;
}
