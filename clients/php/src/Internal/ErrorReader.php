<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors;
use Understudy\Errors\ApiError;
use Understudy\Http\Response;

/**
 * Creates the error of a response that the server refused, or that is not one of the API.
 *
 * @internal
 */
final class ErrorReader
{
    private const MOST_DETAILS = 100;
    private const LONGEST_TEXT = 2_000;

    public function __construct(private readonly ?Secret $token, private readonly Clock $clock)
    {
    }

    /** @param string|null $body null if it was too long to read */
    public function refusal(Operation $operation, Response $response, ?string $body, ?string $key): ApiError
    {
        $status = $response->status;
        if ($status >= 300 && $status < 400) {
            $text = "expected a response of the API, received a redirect. Check baseUrl";

            return $this->error($operation, $response, $key, 'unexpected_redirect', $text);
        }
        $json = self::object($body);
        $error = self::entries($json['error'] ?? null);
        if (!\is_string($error['code'] ?? null)) {
            return $this->unexpected($operation, $response, $key, self::notExpected($response));
        }
        $meta = self::entries($json['meta'] ?? null);
        $requestId = \is_string($meta['request_id'] ?? null) ? $meta['request_id'] : null;
        $details = $this->details($error['details'] ?? null);
        $text = \is_string($error['message'] ?? null) ? $this->clean($error['message']) : 'no message';
        foreach ($details as ['field' => $field, 'message' => $message]) {
            $text .= "\n  {$field}: {$message}";
        }

        return $this->error($operation, $response, $key, $this->clean($error['code']), $text, $requestId, $details);
    }

    /** Returns the error of a response that is not one of the API. */
    public function unexpected(Operation $operation, Response $response, ?string $key, string $text): ApiError
    {
        return $this->error($operation, $response, $key, 'unexpected_response', $this->clean($text));
    }

    /** Describes a body that is not the expected one, without a part of it. */
    public static function notExpected(Response $response, string $expected = 'a JSON response of the API'): string
    {
        if ($response->encoding() !== '') {
            return "expected a response without compression, received the content encoding \"{$response->encoding()}\""
                . '. Turn it off in the server or the proxies before it';
        }

        return "expected {$expected}, received the media type \"{$response->mediaType()}\""
            . '. Check baseUrl and the proxies before it';
    }

    /** @return array<string, mixed> the decoded object, or nothing if the body is not an object in JSON */
    public static function object(?string $body): array
    {
        try {
            return self::entries(Json::decode($body ?? ''));
        } catch (\JsonException) {
            return [];
        }
    }

    /** @return array<mixed> */
    private static function entries(mixed $value): array
    {
        return \is_array($value) ? $value : [];
    }

    /** Replaces the token and control characters in a text of the server, and limits its length. */
    public function clean(string $text): string
    {
        $visible = preg_replace('/[\x00-\x1f\x7f]+/', ' ', $text) ?? '';
        $redacted = $this->token?->redact($visible) ?? $visible;
        $isUtf8 = preg_match('/^.{0,' . self::LONGEST_TEXT . '}/su', $redacted, $found) === 1;

        return $isUtf8 ? $found[0] : substr($redacted, 0, self::LONGEST_TEXT);
    }

    /** @return list<array{field: string, message: string}> */
    private function details(mixed $details): array
    {
        $found = [];
        foreach (\array_slice(self::entries($details), 0, self::MOST_DETAILS) as $detail) {
            if (\is_string($detail['field'] ?? null) && \is_string($detail['message'] ?? null)) {
                $found[] = ['field' => $this->clean($detail['field']), 'message' => $this->clean($detail['message'])];
            }
        }

        return $found;
    }

    /** @param list<array{field: string, message: string}> $details */
    private function error(
        Operation $operation,
        Response $response,
        ?string $key,
        string $code,
        string $text,
        ?string $requestId = null,
        array $details = [],
    ): ApiError {
        $status = $response->status;
        $class = match (true) {
            $code === 'unexpected_redirect' || $response->isSuccess() => ApiError::class,
            $status === 401 => Errors\AuthenticationError::class,
            $status === 402 => Errors\QuotaExceededError::class,
            $status === 403 => Errors\PermissionDeniedError::class,
            $status === 404 => Errors\NotFoundError::class,
            $status === 409 => Errors\ConflictError::class,
            \in_array($status, [400, 413, 415, 422], true) => Errors\ValidationError::class,
            $status === 429 => Errors\RateLimitError::class,
            $status >= 500 && $status < 600 => Errors\ServerError::class,
            default => ApiError::class,
        };

        return new $class(
            "{$operation->id}: {$status} {$code}: {$text}",
            $status,
            $code,
            $this->requestId($response) ?? ($requestId === null ? null : $this->clean($requestId)),
            $details,
            $this->retryAfter($response),
            $key,
        );
    }

    public function requestId(Response $response): ?string
    {
        $header = $response->header('x-request-id');

        return $header === null || $header === '' ? null : $this->clean($header);
    }

    /** Returns the seconds of Retry-After, or null if it is absent or malformed. */
    private function retryAfter(Response $response): ?float
    {
        $header = $response->header('retry-after') ?? '';
        if (preg_match('/^\d+$/D', $header) === 1) {
            return (float) $header;
        }
        $date = \DateTimeImmutable::createFromFormat('!D, d M Y H:i:s \G\M\T', $header, new \DateTimeZone('UTC'));

        return $date === false ? null : max(0.0, $date->getTimestamp() - $this->clock->now());
    }
}
