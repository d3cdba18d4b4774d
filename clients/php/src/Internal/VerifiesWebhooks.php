<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors\WebhookVerificationError;
use Understudy\Webhook;

/**
 * The method `verify` of `$client->webhooks`.
 *
 * @internal
 */
trait VerifiesWebhooks
{
    /**
     * Verifies a webhook request. Without a client, use `Webhook::verify`.
     *
     * @param string $body the bytes of the body as they arrived
     * @param array<string, string|list<string>> $headers
     * @param string|list<string> $secrets
     * @return array<string, mixed> the event
     * @throws WebhookVerificationError if the request is not authentic
     */
    public function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = 300,
    ): array {
        return Webhook::verify($body, $headers, $secrets, $tolerance, (int) $this->caller->clock->now());
    }
}
