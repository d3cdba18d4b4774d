<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type WebhookWithSecret of a response. */
final class WebhookWithSecret implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'url' => 'string',
        'events' => ['string'],
        'format' => 'string',
        'status' => 'string',
        'disabled_reason?' => 'string',
        'disabled_at?' => 'string',
        'failing_since?' => 'string',
        'previous_secret_expires_at?' => 'string',
        'created_at' => 'string',
        'updated_at' => 'string',
        'secret?' => 'string',
    ];

    /** Id of the webhook. */
    public readonly string $id;

    /** The URL to which requests are sent. */
    public readonly string $url;

    /** @var list<'sync.started'|'sync.completed'|'sync.failed'|'sync.reverted'|'sync.revert_failed'|'snapshot.created'|'snapshot.failed'|'snapshot.restored'|'restore.failed'|'agent.away'|'agent.back'|string> */
    public readonly array $events;

    /**
     * The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming webhook of
     * Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
     *
     * @var 'standard'|'slack'|'teams'|string
     */
    public readonly string $format;

    /**
     * A disabled webhook receives no requests.
     *
     * @var 'enabled'|'disabled'|string
     */
    public readonly string $status;

    /**
     * Why the webhook is disabled; null while it is enabled.
     *
     * @var 'failing'|'gone'|'manual'|string|null
     */
    public readonly ?string $disabled_reason;

    /** When the webhook was disabled; null while it is enabled. */
    public readonly ?string $disabled_at;

    /** Time from which on every attempt has failed; null after a success. */
    public readonly ?string $failing_since;

    /** Time at which the previous secret stops signing requests; null without a previous secret. */
    public readonly ?string $previous_secret_expires_at;

    /** When the webhook was created. */
    public readonly string $created_at;

    /** When the webhook was last changed. */
    public readonly string $updated_at;

    /** The secret that signs requests. Only this response shows it. */
    public readonly ?string $secret;
}
