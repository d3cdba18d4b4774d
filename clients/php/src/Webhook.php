<?php

declare(strict_types=1);

namespace Understudy;

use Understudy\Errors\ConfigurationError;
use Understudy\Errors\WebhookVerificationError;
use Understudy\Internal\Json;

/** Verifies webhook requests. It needs no client and no token. */
final class Webhook
{
    private const PREFIX = 'whsec_';

    /** The largest number of signatures that are compared. A rotation has two. */
    private const MAX_SIGNATURES = 20;

    /** A signature of 32 bytes. Spaces separate several ones, and commas if HTTP joined several headers. */
    private const SIGNATURE = '~(?:^|[ \t,])v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)(?=$|[ \t,])~D';

    /**
     * Returns the event of a webhook request. It checks `webhook-signature`, which covers the time of the request. An
     * event can arrive twice: store the ids of the events that you processed.
     *
     * @param string $body the bytes of the body as they arrived, for example `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers for example from `getallheaders()`, or of a PSR-7 request
     * @param string|list<string> $secrets the secret of the webhook (`whsec_…`), or several ones during a rotation
     * @param int $tolerance seconds by which the time of the request may differ from the clock
     * @param int|null $now Unix time; the default is the clock
     * @param bool $allowUntimed accepts a request that has only `X-Service-Signature`. This signature covers no time, so
     *     anybody who recorded a request can send it again
     * @return array<string, mixed> the event
     * @throws WebhookVerificationError if the request is not authentic
     * @throws ConfigurationError if a secret is malformed
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
        bool $allowUntimed = false,
    ): array {
        $values = self::joined($headers);
        $keys = (array) $secrets;
        if ($keys === [] || \in_array('', $keys, true)) {
            throw new ConfigurationError('secrets: expected one secret or several, received none or an empty text.');
        }
        if (isset($values['webhook-signature'])) {
            self::checkStandard($body, $values, $keys, $tolerance, $now ?? time());
        } elseif ($allowUntimed && isset($values['x-service-signature'])) {
            self::checkPlain($body, trim($values['x-service-signature']), $keys);
        } else {
            $hint = isset($values['x-service-signature'])
                ? ' To accept X-Service-Signature, which covers no time, pass allowUntimed: true.' : '';
            throw self::error('missing_signature', "expected the header webhook-signature.{$hint}");
        }
        try {
            $event = Json::decode($body);
        } catch (\JsonException) {
            $event = null;
        }

        return \is_array($event) && !array_is_list($event) ? $event
            : throw self::error('malformed_body', 'expected a JSON object as the body.');
    }

    /**
     * Joins the values of each header as HTTP does, so that two timestamps or ids never pass for one of them.
     *
     * @param array<string, string|list<string>|null> $headers
     * @return array<string, string>
     */
    private static function joined(array $headers): array
    {
        $values = [];
        foreach ($headers as $name => $value) {
            $key = strtolower((string) $name);
            $values[$key] = [...$values[$key] ?? [], ...array_values((array) $value)];
        }

        return array_map(static fn(array $each): string => implode(', ', $each), array_filter($values));
    }

    /**
     * Checks the signature of Standard Webhooks.
     *
     * @param array<string, string> $headers
     * @param list<string> $secrets
     */
    private static function checkStandard(
        string $body,
        array $headers,
        #[\SensitiveParameter] array $secrets,
        int $tolerance,
        int $now,
    ): void {
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        if ($id === '' || $timestamp === '') {
            throw self::error('missing_signature', 'expected the headers webhook-id and webhook-timestamp.');
        }
        preg_match_all(self::SIGNATURE, $headers['webhook-signature'], $found);
        $signatures = \array_slice($found[1], 0, self::MAX_SIGNATURES);
        if ($signatures === [] || preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw self::error(
                'malformed_signature',
                'expected "v1," and 44 characters of base64 in webhook-signature, and seconds in webhook-timestamp.',
            );
        }
        $isValid = false;
        foreach ($secrets as $secret) {
            $mac = base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", self::key($secret), true));
            foreach ($signatures as $signature) {
                $isValid = hash_equals($mac, $signature) || $isValid;
            }
        }
        if (!$isValid) {
            throw self::wrong();
        }
        if (abs($now - (int) $timestamp) > $tolerance) {
            throw self::error(
                'timestamp_out_of_tolerance',
                "expected a request that is at most {$tolerance} s old. Check the clock of this machine.",
            );
        }
    }

    /**
     * Checks the HMAC of the body.
     *
     * @param list<string> $secrets
     */
    private static function checkPlain(string $body, string $signature, #[\SensitiveParameter] array $secrets): void
    {
        if (preg_match('/^[0-9a-f]{64}$/Di', $signature) !== 1) {
            throw self::error('malformed_signature', 'expected 64 hexadecimal digits in X-Service-Signature.');
        }
        $isValid = false;
        foreach ($secrets as $secret) {
            $isValid = hash_equals(hash_hmac('sha256', $body, $secret), strtolower($signature)) || $isValid;
        }
        if (!$isValid) {
            throw self::wrong();
        }
    }

    /** Returns the bytes after the prefix of a secret. */
    private static function key(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, self::PREFIX) ? substr($secret, \strlen(self::PREFIX)) : $secret;
        $key = base64_decode($text, true);

        return $key === false || $key === '' ? throw new ConfigurationError(
            'secrets: expected a secret that begins with whsec_ and continues in base64.',
        ) : $key;
    }

    private static function wrong(): WebhookVerificationError
    {
        return self::error('wrong_signature', 'no signature matches the body and a secret. Check the secret.');
    }

    private static function error(string $reason, string $text): WebhookVerificationError
    {
        return new WebhookVerificationError("The webhook request is not authentic: {$text}", $reason);
    }
}
