<?php

declare(strict_types=1);

namespace Understudy\Http;

/** One request, ready to send. */
final class Request
{
    /**
     * @param array<string, string> $headers with the token
     * @param float $timeout seconds: the longest time of the whole exchange. If `$streams` is set, it limits the time
     *   until the first byte of the body, and then the time between two reads.
     * @param bool $repeatable whether the transport may use a kept connection, on which it may have to send again
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeout,
        public readonly bool $streams = false,
        public readonly bool $repeatable = true,
    ) {
    }

    /** Returns the same request for a further attempt, which does not use a kept connection. */
    public function again(): self
    {
        return new self($this->method, $this->url, $this->headers, $this->body, $this->timeout, $this->streams, false);
    }

    /** Hides the token and the body from dumps. */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'url' => $this->url];
    }
}
