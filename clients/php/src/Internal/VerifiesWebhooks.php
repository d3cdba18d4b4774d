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
     * @param bool $allowUntimed accepts a request that has only `X-Service-Signature`, which covers no time
     * @return array<string, mixed> the event
     * @throws WebhookVerificationError if the request is not authentic
     */
    public function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = 300,
        bool $allowUntimed = false,
    ): array {
        $now = (int) $this->caller->clock->now();

        return Webhook::verify($body, $headers, $secrets, $tolerance, $now, $allowUntimed);
    }
}
