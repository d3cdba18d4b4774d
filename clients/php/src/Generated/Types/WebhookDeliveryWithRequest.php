<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type WebhookDeliveryWithRequest of a response. */
final class WebhookDeliveryWithRequest implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'webhook_id' => 'string',
        'event_id' => 'string',
        'event' => 'string',
        'status' => 'string',
        'attempts' => 'int',
        'tries' => [WebhookDeliveryTry::class],
        'next_attempt_at?' => 'string',
        'created_at' => 'string',
        'delivered_at?' => 'string',
        'resend_of?' => 'string',
        'payload' => 'string',
        'last_request?' => WebhookDeliveryRequest::class,
    ];

    /** Id of the delivery. */
    public readonly string $id;

    /** Id of the webhook. */
    public readonly string $webhook_id;

    /** The header `webhook-id` of the requests. It is the same for every attempt and for a resent event. */
    public readonly string $event_id;

    /** Kind of the event. */
    public readonly string $event;

    /**
     * `failed`: the last attempt failed, or the webhook was disabled.
     *
     * @var 'pending'|'delivered'|'failed'|string
     */
    public readonly string $status;

    /** Number of attempts. */
    public readonly int $attempts;

    /**
     * The newest twenty attempts, oldest first.
     *
     * @var list<WebhookDeliveryTry>
     */
    public readonly array $tries;

    /** When the next attempt is planned; null if none is. */
    public readonly ?string $next_attempt_at;

    /** When the delivery was created. */
    public readonly string $created_at;

    /** When the receiver accepted the delivery; null before. */
    public readonly ?string $delivered_at;

    /** The delivery that this one repeats; null for an original delivery. */
    public readonly ?string $resend_of;

    /**
     * The exact body of the newest attempt, or of the first one if there was none. The signatures cover
     * these bytes.
     */
    public readonly string $payload;

    /** The request of the newest attempt; null before the first attempt, or if the secret could not be read. */
    public readonly ?WebhookDeliveryRequest $last_request;
}
