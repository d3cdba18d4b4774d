<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Attempt;
use Understudy\CallOptions;
use Understudy\Errors\ApiError;
use Understudy\Errors\ConnectionError;
use Understudy\Errors\NotFoundError;
use Understudy\Errors\TimeoutError;
use Understudy\Generated\Operations;
use Understudy\Http\Request;
use Understudy\Http\Response;
use Understudy\Http\Transport;
use Understudy\Http\TransportFailure;
use Understudy\UnderstudyError;

/**
 * Carries out the calls of all methods: repeats attempts, and decodes the response.
 *
 * @internal
 */
final class Caller
{
    private const MOST_BODY_BYTES = 67_108_864;
    private const FILE = 'application/octet-stream';
    private const LONGEST_BACKOFF = 8.0;
    private const REPEATED_STATUSES = [408, 429, 500, 502, 503, 504];

    public readonly ErrorReader $errors;
    private readonly RequestBuilder $requests;

    /** @param (\Closure(Attempt): mixed)|null $onAttempt */
    public function __construct(
        public readonly Settings $settings,
        private readonly Transport $transport,
        public readonly Clock $clock,
        private readonly ?\Closure $onAttempt,
    ) {
        $this->errors = new ErrorReader($settings->token, $clock);
        $this->requests = new RequestBuilder($settings);
    }

    /**
     * Calls an operation whose result is an object.
     *
     * @template T of object
     * @param class-string<T> $class
     * @param list<string> $path the values of the placeholders in the path
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return T
     * @throws UnderstudyError
     */
    public function call(
        string $id,
        string $class,
        array $path = [],
        array $query = [],
        #[\SensitiveParameter] ?array $body = null,
        ?CallOptions $options = null,
    ): object {
        $operation = Operations::get($id);
        [$response, $text, $key] = $this->send($operation, $path, $query, $body, $options ?? new CallOptions());
        if ($response === null) {
            return new $class(['id' => end($path), 'deleted' => true]);
        }
        try {
            return Fields::read($class, $this->data($operation, $response, $text, $key), 'data');
        } catch (\UnexpectedValueException $mismatch) {
            throw $this->errors->unexpected($operation, $response, $key, $mismatch->getMessage());
        }
    }

    /**
     * Calls an operation whose result is any JSON object.
     *
     * @return array<string, mixed>
     * @throws UnderstudyError
     */
    public function json(string $id, ?CallOptions $options = null): array
    {
        $operation = Operations::get($id);
        [$response, $text, $key] = $this->send($operation, [], [], null, $options ?? new CallOptions());
        $data = $this->data($operation, $response, $text, $key);

        return \is_array($data) && !array_is_list($data) ? $data
            : throw $this->errors->unexpected($operation, $response, $key, 'expected an object');
    }

    /**
     * Calls an operation whose response is a file.
     *
     * @param list<string> $path the values of the placeholders in the path
     * @return string the bytes of the file
     * @throws UnderstudyError
     */
    public function file(string $id, array $path = [], ?CallOptions $options = null): string
    {
        $operation = Operations::get($id);
        [$response, $bytes, $key] = $this->send($operation, $path, [], null, $options ?? new CallOptions(), self::FILE);
        if ($bytes !== null && $response->mediaType() === self::FILE) {
            return $bytes;
        }
        $limit = self::MOST_BODY_BYTES;
        $reason = $bytes === null ? "expected at most {$limit} bytes" : ErrorReader::notExpected($response, 'a file');
        throw $this->errors->unexpected($operation, $response, $key, $reason);
    }

    /**
     * Calls the operation `generate`.
     *
     * @param array<string, mixed> $body
     * @return Response whose first bytes have arrived
     * @throws UnderstudyError
     */
    public function stream(#[\SensitiveParameter] array $body, string $mediaType, CallOptions $options): Response
    {
        $operation = Operations::get('generate');
        [$response] = $this->send($operation, [], [], $body, $options, $mediaType);
        if ($response->mediaType() !== $mediaType) {
            throw $this->errors->unexpected($operation, $response, null, ErrorReader::notExpected($response));
        }

        return $response;
    }

    private function data(Operation $operation, Response $response, ?string $text, ?string $key): mixed
    {
        if ($text === null) {
            $limit = self::MOST_BODY_BYTES;
            throw $this->errors->unexpected($operation, $response, $key, "expected at most {$limit} bytes of JSON");
        }
        $json = ErrorReader::object($text);
        $data = $operation->enveloped ? $json['data'] ?? null : $json;

        return $data ?? throw $this->errors->unexpected(
            $operation,
            $response,
            $key,
            $json === [] ? ErrorReader::notExpected($response) : 'expected an object with the field data',
        );
    }

    /**
     * Sends a request until an attempt succeeds or must not be repeated.
     *
     * @param list<string> $path
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return array{?Response, ?string, ?string} the response, its body unless it is streamed or too long, and the
     *   idempotency key. The response is null if an earlier attempt has deleted the resource.
     */
    private function send(
        Operation $operation,
        array $path,
        array $query,
        #[\SensitiveParameter] ?array $body,
        CallOptions $options,
        string $accept = 'application/json',
    ): array {
        Settings::checkOptions($options, $operation);
        $streams = $operation->retry === 'beforeFirstByte';
        $key = $operation->key ? $options->idempotencyKey ?? self::newKey() : null;
        $timeout = $options->timeout ?? ($streams ? $this->settings->generateTimeout : $this->settings->timeout);
        $request = $this->requests->build($operation, $path, $query, $body, $key, $timeout, $accept);
        $retries = $operation->retry === 'never' ? 0 : $options->maxRetries ?? $this->settings->maxRetries;
        for ($attempt = 1; ; ++$attempt) {
            [$response, $text, $error] = $this->attempt($operation, $request, $key);
            $delay = $error === null || $attempt > $retries ? null : $this->delay($error, $attempt - 1);
            if ($this->onAttempt !== null) {
                $requestId = $response === null ? null : $this->errors->requestId($response);
                ($this->onAttempt)(new Attempt($operation->id, $attempt, $response?->status, $requestId, $delay));
            }
            if ($error === null) {
                return [$response, $text, $key];
            }
            if ($attempt > 1 && $operation->method === 'DELETE' && $error instanceof NotFoundError) {
                return [null, null, $key];
            }
            if ($delay === null) {
                throw $error;
            }
            $this->clock->sleep($delay);
            $request = $request->again();
        }
    }

    /** @return array{?Response, ?string, ApiError|ConnectionError|null} */
    private function attempt(Operation $operation, #[\SensitiveParameter] Request $request, ?string $key): array
    {
        try {
            $response = $this->transport->send($request);
            $isReadable = $response->encoding() === '';
            $isSuccess = $isReadable && $response->isSuccess();
            if ($isSuccess && $request->streams) {
                $response->start();

                return [$response, null, null];
            }
            $text = $isReadable ? $response->body(self::MOST_BODY_BYTES) : null;
        } catch (TransportFailure $failure) {
            $class = $failure->isTimeout ? TimeoutError::class : ConnectionError::class;
            $origin = preg_replace('~^(\w+://[^/]+).*~s', '$1', $request->url);
            $message = "{$operation->id}: no complete response from {$origin}: "
                . $this->errors->clean($failure->getMessage());

            return [null, null, new $class($message, $key)];
        }

        return [$response, $text, $isSuccess ? null : $this->errors->refusal($operation, $response, $text, $key)];
    }

    /** Returns the seconds before the next attempt, or null if the error is final. */
    private function delay(ApiError|ConnectionError $error, int $retry): ?float
    {
        if ($error instanceof ApiError) {
            $after = $error->retryAfter;
            $isRepeated = \in_array($error->status, self::REPEATED_STATUSES, true)
                || ($error->status === 409 && $after !== null);
            if (!$isRepeated || $after > $this->settings->maxWait) {
                return null;
            }
            if ($after !== null) {
                return $after;
            }
        }

        return $this->clock->random() * min(self::LONGEST_BACKOFF, $this->settings->retryBase * 2 ** $retry);
    }

    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = \chr(\ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = \chr(\ord($bytes[8]) & 0x3f | 0x80);

        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
