<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;
use Understudy\Internal\VerifiesWebhooks;

/** The methods of `$client->webhooks`. */
final class Webhooks
{
    use VerifiesWebhooks;

    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the webhooks.
     *
     * The newest webhooks come first. Disabled webhooks are included.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListWebhooksResult
    {
        return $this->caller->call('listWebhooks', Types\ListWebhooksResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\Webhook>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'webhooks', $query);
    }

    /**
     * Creates a webhook.
     *
     * Each event is sent as a POST of `{id, event, timestamp, data}` or in the chosen format, signed with
     * the secret in this response. `X-Service-Signature` is the HMAC-SHA256 of the raw body in lower-case
     * hex. The three headers of Standard Webhooks are sent, too.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * Fields of `$body`:
     * - `url`: The URL to which requests are sent: `https://…` or `http://…`, without user, password and
     *   fragment. Its host must have a public address.
     * - `events`: The events that are sent to the webhook.
     * - `format`: The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming
     *   webhook of Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
     *
     * @param array{
     *     url: string,
     *     events: list<'sync.started'|'sync.completed'|'sync.failed'|'sync.reverted'|'sync.revert_failed'|'snapshot.created'|'snapshot.failed'|'snapshot.restored'|'restore.failed'|'agent.away'|'agent.back'|string>,
     *     format?: 'standard'|'slack'|'teams'|string,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function create(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\WebhookWithSecret
    {
        return $this->caller->call('createWebhook', Types\WebhookWithSecret::class, body: $body, options: $options);
    }

    /**
     * Shows a webhook.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:read`.
     *
     * @param string $id Id of a webhook.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\Webhook
    {
        return $this->caller->call('getWebhook', Types\Webhook::class, [$id], options: $options);
    }

    /**
     * Changes, disables or enables a webhook.
     *
     * Disabling a webhook fails its pending deliveries. Events that occur while it is disabled are not sent
     * later.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * Fields of `$body`:
     * - `url`: The URL to which requests are sent: `https://…` or `http://…`, without user, password and
     *   fragment. Its host must have a public address.
     * - `events`: The events that are sent to the webhook.
     * - `format`: The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming
     *   webhook of Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
     * - `enabled`: `false` disables the webhook. `true` enables it again, also if it was disabled because of
     *   failures.
     *
     * @param string $id Id of a webhook.
     * @param array{
     *     url?: string,
     *     events?: list<'sync.started'|'sync.completed'|'sync.failed'|'sync.reverted'|'sync.revert_failed'|'snapshot.created'|'snapshot.failed'|'snapshot.restored'|'restore.failed'|'agent.away'|'agent.back'|string>,
     *     format?: 'standard'|'slack'|'teams'|string,
     *     enabled?: bool,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function change(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\Webhook
    {
        return $this->caller->call('changeWebhook', Types\Webhook::class, [$id], body: $body, options: $options);
    }

    /**
     * Deletes a webhook and its deliveries.
     *
     * Deletes a webhook and its deliveries.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * @param string $id Id of a webhook.
     * @throws \Understudy\UnderstudyError
     */
    public function delete(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('deleteWebhook', Types\Deleted::class, [$id], options: $options);
    }

    /**
     * Replaces the secret of a webhook.
     *
     * The new secret signs `X-Service-Signature` immediately. Until the previous secret expires,
     * `webhook-signature` contains a signature of each secret.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * Fields of `$body`:
     * - `overlap_hours`: How long the previous secret signs `webhook-signature` beside the new one. With 0
     *   it stops immediately.
     *
     * @param string $id Id of a webhook.
     * @param array{overlap_hours?: int} $body
     * @throws \Understudy\UnderstudyError
     */
    public function rotateSecret(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\WebhookWithSecret
    {
        return $this->caller->call('rotateWebhookSecret', Types\WebhookWithSecret::class, [$id], body: $body, options: $options);
    }

    /**
     * Sends a test event to a webhook.
     *
     * Sends the test event `{id, event: "webhook.test", timestamp, data: {webhook_id}}` in the format of the
     * webhook. The subscriptions of the webhook do not matter.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * @param string $id Id of a webhook.
     * @throws \Understudy\UnderstudyError
     */
    public function test(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\WebhookDelivery
    {
        return $this->caller->call('testWebhook', Types\WebhookDelivery::class, [$id], body: $body, options: $options);
    }

    /**
     * Lists the deliveries of a webhook.
     *
     * The newest deliveries come first. The log covers thirty days.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:read`.
     *
     * Fields of `$query`:
     * - `status`: Lists only deliveries with this status.
     * - `event`: Lists only deliveries of this event.
     * - `created_after`: Lists only deliveries that were created at this time or later (ISO 8601).
     * - `created_before`: Lists only deliveries that were created before this time (ISO 8601).
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param string $id Id of a webhook.
     * @param array{
     *     status?: 'pending'|'delivered'|'failed'|string,
     *     event?: 'sync.started'|'sync.completed'|'sync.failed'|'sync.reverted'|'sync.revert_failed'|'snapshot.created'|'snapshot.failed'|'snapshot.restored'|'restore.failed'|'agent.away'|'agent.back'|'webhook.test'|string,
     *     created_after?: string,
     *     created_before?: string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @throws \Understudy\UnderstudyError
     */
    public function listDeliveries(string $id, array $query = [], ?CallOptions $options = null): Types\ListWebhookDeliveriesResult
    {
        return $this->caller->call('listWebhookDeliveries', Types\ListWebhookDeliveriesResult::class, [$id], query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `listDeliveries`. It requests a page only when you need it.
     *
     * @param string $id Id of a webhook.
     * @param array{
     *     status?: 'pending'|'delivered'|'failed'|string,
     *     event?: 'sync.started'|'sync.completed'|'sync.failed'|'sync.reverted'|'sync.revert_failed'|'snapshot.created'|'snapshot.failed'|'snapshot.restored'|'restore.failed'|'agent.away'|'agent.back'|'webhook.test'|string,
     *     created_after?: string,
     *     created_before?: string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @return \Generator<int, Types\WebhookDelivery>
     * @throws \Understudy\UnderstudyError
     */
    public function iterateDeliveries(string $id, array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->listDeliveries($id, $page, $options), 'deliveries', $query);
    }

    /**
     * Shows a delivery.
     *
     * Shows the exact body, and the URL and headers of the newest attempt.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:read`.
     *
     * @param string $id Id of a delivery.
     * @throws \Understudy\UnderstudyError
     */
    public function getDelivery(string $id, ?CallOptions $options = null): Types\WebhookDeliveryWithRequest
    {
        return $this->caller->call('getWebhookDelivery', Types\WebhookDeliveryWithRequest::class, [$id], options: $options);
    }

    /**
     * Sends an event again with the same event id.
     *
     * Sends the same event with the same id and body as a new delivery.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * @param string $id Id of a delivery.
     * @throws \Understudy\UnderstudyError
     */
    public function resendDelivery(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\WebhookDelivery
    {
        return $this->caller->call('resendWebhookDelivery', Types\WebhookDelivery::class, [$id], body: $body, options: $options);
    }

    /**
     * Sends the events of failed deliveries again.
     *
     * Sends the events of failed deliveries again, with the same ids and bodies, as new deliveries. Each
     * event is sent once, oldest first. Events that were delivered to this webhook or are pending are left
     * out. One request sends at most 1000 events; `has_more` reports whether others remain.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `webhooks:write`.
     *
     * Fields of `$body`:
     * - `since`: Sends again the failed deliveries that were created at this time or later (ISO 8601).
     * - `until`: Leaves out deliveries that were created at this time or later (ISO 8601).
     *
     * @param string $id Id of a webhook.
     * @param array{since: string, until?: string} $body
     * @throws \Understudy\UnderstudyError
     */
    public function recoverDeliveries(string $id, #[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\WebhookRecovery
    {
        return $this->caller->call('recoverWebhookDeliveries', Types\WebhookRecovery::class, [$id], body: $body, options: $options);
    }
}
