<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors\ConfigurationError;
use Understudy\Http\Request;
use Understudy\Understudy;

/**
 * Builds the request of a call.
 *
 * @internal
 */
final class RequestBuilder
{
    public function __construct(private readonly Settings $settings)
    {
    }

    /**
     * @param list<string> $path the values of the placeholders
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @throws ConfigurationError if an argument is invalid
     */
    public function build(
        Operation $operation,
        array $path,
        array $query,
        #[\SensitiveParameter] ?array $body,
        ?string $key,
        float $timeout,
        string $accept,
    ): Request {
        $headers = [
            'Accept' => $accept,
            'User-Agent' => 'understudy-php/' . Understudy::VERSION . ' (PHP ' . PHP_VERSION . ')',
        ];
        if (!$operation->public) {
            $token = $this->settings->token ?? throw new ConfigurationError(
                "{$operation->id} needs a token. Create the client with new Understudy(token: …).",
            );
            $headers['Authorization'] = 'Bearer ' . $token->reveal();
        }
        if ($operation->retry === 'beforeFirstByte') {
            $headers += RecordReader::MARKED_ERRORS;
        }
        if ($key !== null) {
            $headers['Idempotency-Key'] = $key;
        }
        $content = null;
        if ($body !== null) {
            [$headers['Content-Type'], $content] = $operation->files === []
                ? ['application/json', self::json($operation, $body)]
                : Multipart::encode($operation, $body);
        }
        $url = $this->settings->baseUrl . self::path($operation, $path) . self::query($operation, $query);

        return new Request(
            $operation->method,
            $url,
            $headers,
            $content,
            $timeout,
            streams: $operation->retry === 'beforeFirstByte',
            // If curl sent a DELETE twice, the second response would be 404.
            repeatable: $operation->retry !== 'never' && $operation->method !== 'DELETE',
        );
    }

    /** @param array<string, mixed> $body */
    private static function json(Operation $operation, #[\SensitiveParameter] array $body): string
    {
        try {
            return Json::encode($body, $operation->objects);
        } catch (\JsonException $exception) {
            throw new ConfigurationError(
                "{$operation->id}: expected a body that JSON can express ({$exception->getMessage()}).",
            );
        }
    }

    /** @param list<string> $values */
    private static function path(Operation $operation, array $values): string
    {
        return preg_replace_callback('/\{(\w+)\}/', static function (array $found) use ($operation, &$values): string {
            $value = array_shift($values);
            if ($value === null || \in_array($value, ['', '.', '..'], true)) {
                throw new ConfigurationError("{$operation->id}: expected an id as {$found[1]}, received \"{$value}\".");
            }

            return rawurlencode($value);
        }, $operation->path);
    }

    /** @param array<string, mixed> $query */
    private static function query(Operation $operation, array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        foreach ($given as $name => $value) {
            if (!\is_scalar($value)) {
                throw new ConfigurationError("{$operation->id}: expected a text or a number as {$name}.");
            }
            $given[$name] = \is_bool($value) ? ($value ? 'true' : 'false') : $value;
        }
        $text = http_build_query($given, '', '&', PHP_QUERY_RFC3986);

        return $text === '' ? '' : "?{$text}";
    }
}
