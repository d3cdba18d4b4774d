<?php

declare(strict_types=1);

namespace Understudy;

/** The options of one call. Each one that is null has the value of the client. */
final class CallOptions
{
    /**
     * @param float|null $timeout the timeout of one attempt, in seconds, at most 3,600
     * @param int|null $maxRetries the number of attempts after the first one, at most 10
     * @param string|null $idempotencyKey the key of the call: 1 to 255 visible ASCII characters. The default is a
     *   new UUID. Pass the key of an error to repeat the call that failed.
     */
    public function __construct(
        public readonly ?float $timeout = null,
        public readonly ?int $maxRetries = null,
        public readonly ?string $idempotencyKey = null,
    ) {
    }
}
