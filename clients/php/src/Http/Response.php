<?php

declare(strict_types=1);

namespace Understudy\Http;

/** A response whose body is still arriving. Its connection closes when the last reference to it is gone. */
final class Response
{
    /**
     * @param array<string, string> $headers by lower-case name
     * @param \Generator<int, string> $chunks the body in pieces; it throws a `TransportFailure` if the body is cut
     */
    public function __construct(
        public readonly int $status,
        private readonly array $headers,
        private readonly \Generator $chunks,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    public function isSuccess(): bool
    {
        return $this->status >= 200 && $this->status < 300;
    }

    /**
     * Returns the content encoding of a body that is still encoded, or an empty text. A transport that decodes a body
     * removes the header.
     */
    public function encoding(): string
    {
        $encoding = $this->header('content-encoding') ?? '';

        return strtolower($encoding) === 'identity' ? '' : $encoding;
    }

    /** Returns the media type without parameters, or an empty text if the header is missing or malformed. */
    public function mediaType(): string
    {
        preg_match('~^[a-z0-9.+-]{1,64}/[a-z0-9.+-]{1,64}~i', $this->header('content-type') ?? '', $found);

        return strtolower($found[0] ?? '');
    }

    /**
     * Waits for the first bytes of the body, or for its end.
     *
     * @throws TransportFailure
     */
    public function start(): void
    {
        $this->chunks->rewind();
    }

    /** @return iterable<int, string> the pieces of the body, which can be read once */
    public function chunks(): iterable
    {
        return $this->chunks->valid() ? $this->chunks : [];
    }

    /**
     * Reads the whole body.
     *
     * @return string|null null if the body has more bytes than `$limit`
     * @throws TransportFailure
     */
    public function body(int $limit): ?string
    {
        $body = '';
        foreach ($this->chunks as $chunk) {
            if (\strlen($body) + \strlen($chunk) > $limit) {
                return null;
            }
            $body .= $chunk;
        }

        return $body;
    }
}
