<?php

declare(strict_types=1);

namespace Understudy\Http;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\StreamInterface;

/**
 * Sends requests with any PSR-18 client. PSR-18 has no timeouts, so set them in your client. Your client must not
 * follow redirects. Most clients read the whole response before they return it.
 */
final class Psr18Transport implements Transport
{
    private const CHUNK_BYTES = 131_072;

    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requestFactory,
        private readonly StreamFactoryInterface $streamFactory,
    ) {
    }

    public function send(#[\SensitiveParameter] Request $request): Response
    {
        $message = $this->requestFactory->createRequest($request->method, $request->url);
        foreach ($request->headers as $name => $value) {
            $message = $message->withHeader($name, $value);
        }
        // Without this header, some clients request a compressed response, decode it and keep its Content-Encoding.
        $message = $message->withHeader('Accept-Encoding', 'identity');
        if ($request->body !== null) {
            $message = $message->withBody($this->streamFactory->createStream($request->body));
        }
        try {
            $response = $this->client->sendRequest($message);
        } catch (ClientExceptionInterface $exception) {
            // The exception refers to the request with its token, so it is not passed on as the previous one.
            $response = self::encoded($exception) ?? throw self::failure($exception);
        }
        $headers = array_map(static fn (array $values): string => implode(', ', $values), $response->getHeaders());
        $headers = array_change_key_case($headers);
        $isPlain = !isset($headers['content-encoding']) && ctype_digit($headers['content-length'] ?? '');

        return new Response(
            $response->getStatusCode(),
            $headers,
            self::chunks($response->getBody(), $isPlain ? (int) $headers['content-length'] : 0),
        );
    }

    /**
     * Returns the response whose content encoding curl cannot decode. Guzzle has it in its exception, and has renamed
     * the header. The client then names the encoding, and does not try again.
     */
    private static function encoded(ClientExceptionInterface $exception): ?ResponseInterface
    {
        $response = method_exists($exception, 'getResponse') ? $exception->getResponse() : null;
        if (!$response instanceof ResponseInterface || !str_contains($exception->getMessage(), 'cURL error 61:')) {
            return null;
        }
        $encoding = $response->getHeaderLine('x-encoded-content-encoding');

        return $encoding === '' ? null : $response->withHeader('Content-Encoding', $encoding);
    }

    /** @return \Generator<int, string> */
    private static function chunks(StreamInterface $body, int $expected): \Generator
    {
        $received = 0;
        while (!$body->eof()) {
            try {
                $chunk = $body->read(self::CHUNK_BYTES);
            } catch (\RuntimeException $exception) {
                throw self::failure($exception);
            }
            $received += \strlen($chunk);
            if ($chunk !== '') {
                yield $chunk;
            } elseif (!$body->eof()) {
                throw new TransportFailure('the client received no data in time', isTimeout: true);
            }
        }
        if ($received < $expected) {
            throw new TransportFailure("the connection closed after {$received} of {$expected} bytes");
        }
    }

    private static function failure(\Throwable $exception): TransportFailure
    {
        $text = substr(preg_replace('/[^\x20-\x7e]+/', ' ', $exception->getMessage()) ?? '', 0, 300);

        return new TransportFailure($text, preg_match('/timed?[ -]?out|curl error 28/i', $text) === 1);
    }
}
