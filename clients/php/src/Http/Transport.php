<?php

declare(strict_types=1);

namespace Understudy\Http;

/** Sends requests over HTTP. The default is `CurlTransport`. */
interface Transport
{
    /**
     * Sends a request once, follows no redirect, and returns when the headers of the response are complete.
     *
     * @throws TransportFailure if no response arrived
     */
    public function send(#[\SensitiveParameter] Request $request): Response;
}
