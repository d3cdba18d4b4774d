<?php

declare(strict_types=1);

namespace Understudy;

/** One attempt of a call, as the client reports it to `onAttempt`. It contains no token and no body. */
final class Attempt
{
    /**
     * @param string $operation the id of the operation in the API document, for example `createSyncJob`
     * @param int $attempt 1 for the first attempt of a call
     * @param int|null $status the status of the response; null if the connection failed
     * @param float|null $delay seconds before the next attempt; null if there is none
     */
    public function __construct(
        public readonly string $operation,
        public readonly int $attempt,
        public readonly ?int $status,
        public readonly ?string $requestId,
        public readonly ?float $delay,
    ) {
    }
}
