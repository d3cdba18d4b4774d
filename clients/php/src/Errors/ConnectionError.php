<?php

declare(strict_types=1);

namespace Understudy\Errors;

use Understudy\UnderstudyError;

/** The server was not reached, or the connection broke. The server may have carried out the request. */
class ConnectionError extends UnderstudyError
{
    /** @param string|null $idempotencyKey the key of the call; pass it to repeat the call safely */
    final public function __construct(string $message, public readonly ?string $idempotencyKey = null)
    {
        parent::__construct($message);
    }
}
