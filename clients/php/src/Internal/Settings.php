<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\CallOptions;
use Understudy\Errors\ConfigurationError;

/**
 * The checked options of a client.
 *
 * @internal
 */
final class Settings
{
    private const LONGEST_TIMEOUT = 3600.0;
    private const MOST_RETRIES = 10;

    /** The URL of the API without a slash at its end, for example `https://example.com/v1`. */
    public readonly string $baseUrl;

    /** @throws ConfigurationError that names the option */
    public function __construct(
        public readonly ?Secret $token,
        ?string $baseUrl,
        public readonly float $timeout,
        public readonly float $generateTimeout,
        public readonly int $maxRetries,
        public readonly float $maxWait,
        public readonly float $retryBase,
        bool $allowPlaintext,
    ) {
        if ($token !== null && preg_match('/^[\x21-\x7e]{1,512}$/D', $token->reveal()) !== 1) {
            throw new ConfigurationError('token: expected 1 to 512 visible ASCII characters without spaces.');
        }
        $this->baseUrl = self::checkUrl($baseUrl, $allowPlaintext);
        self::checkNumber('timeout', $timeout, self::LONGEST_TIMEOUT);
        self::checkNumber('generateTimeout', $generateTimeout, self::LONGEST_TIMEOUT);
        self::checkNumber('maxRetries', $maxRetries, self::MOST_RETRIES);
        self::checkNumber('maxWait', $maxWait, PHP_FLOAT_MAX);
        self::checkNumber('retryBase', $retryBase, PHP_FLOAT_MAX);
    }

    /** @throws ConfigurationError */
    public static function checkOptions(CallOptions $options, Operation $operation): void
    {
        self::checkNumber('timeout', $options->timeout ?? 0.0, self::LONGEST_TIMEOUT);
        self::checkNumber('maxRetries', $options->maxRetries ?? 0, self::MOST_RETRIES);
        if ($options->idempotencyKey === null) {
            return;
        }
        if (!$operation->key) {
            throw new ConfigurationError("idempotencyKey: {$operation->id} accepts no key. Omit the option.");
        }
        if (preg_match('/^[\x21-\x7e]{1,255}$/D', $options->idempotencyKey) !== 1) {
            throw new ConfigurationError(
                'idempotencyKey: expected 1 to 255 visible ASCII characters without spaces.',
            );
        }
    }

    /** @throws ConfigurationError if the number is not from 0 to `$max` */
    public static function checkNumber(string $option, int|float $value, int|float $max): void
    {
        if (!is_finite($value) || $value < 0 || $value > $max) {
            $limit = $max === PHP_FLOAT_MAX ? 'that is finite' : "of at most {$max}";
            throw new ConfigurationError("{$option}: expected a number {$limit} and not negative, received {$value}.");
        }
    }

    private static function checkUrl(?string $url, bool $allowPlaintext): string
    {
        if ($url === null || $url === '') {
            throw new ConfigurationError(
                'baseUrl is missing. Pass it, or set the environment variable UNDERSTUDY_API_URL to the URL of your '
                . 'control plane.',
            );
        }
        $host = '[a-z0-9._-]+|\[[0-9a-f:.]+\]';
        $path = '/[\x21\x24-\x3e\x40-\x5b\x5d-\x7e]*'; // visible ASCII without " # ? and \
        $pattern = "~^(https?)://({$host})(?::(\d{1,5}))?({$path})?$~Di";
        if (preg_match($pattern, $url, $parts) !== 1 || (int) ($parts[3] ?? 0) > 65535) {
            throw new ConfigurationError(
                'baseUrl: expected a URL such as https://understudy.example.com, without a user name, a password, '
                . 'a query and a fragment.',
            );
        }
        if (strtolower($parts[1]) === 'http' && !$allowPlaintext && !self::isLoopback($parts[2])) {
            throw new ConfigurationError(
                'baseUrl: expected https://, because http:// sends the token in plain text. http:// is accepted for '
                . 'this machine, or with allowPlaintext: true.',
            );
        }
        $base = rtrim($url, '/');

        return str_ends_with($base, '/v1') ? $base : "{$base}/v1";
    }

    /** Returns whether the host of a URL is this machine. */
    public static function isLoopback(string $host): bool
    {
        return \in_array(strtolower($host), ['localhost', '[::1]'], true)
            || (str_starts_with($host, '127.') && filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false);
    }
}
