<?php

declare(strict_types=1);

namespace Understudy\Http;

/** The connection failed or broke. The message contains no token and no part of a body. */
final class TransportFailure extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $isTimeout = false)
    {
        parent::__construct($message);
    }
}
