<?php

declare(strict_types=1);

namespace Understudy\Http;

/**
 * Sends requests with ext-curl. It keeps connections for later requests. It trusts the authorities of curl, or those
 * in `curl.cainfo` of php.ini, and uses a proxy for `https://` as curl does (`https_proxy`, `no_proxy`).
 */
final class CurlTransport implements Transport
{
    /** @var \SplStack<\CurlMultiHandle> the handles without a transfer, each with the connections that it keeps */
    private readonly \SplStack $idle;

    public function __construct()
    {
        $this->idle = new \SplStack();
    }

    public function send(#[\SensitiveParameter] Request $request): Response
    {
        $transfer = new CurlTransfer($this->idle, $request);
        $transfer->awaitHeaders();

        return new Response($transfer->status(), $transfer->headers(), self::chunks($transfer));
    }

    /** @return \Generator<int, string> */
    private static function chunks(CurlTransfer $transfer): \Generator
    {
        while (($chunk = $transfer->read()) !== '') {
            yield $chunk;
        }
    }
}
