<?php

declare(strict_types=1);

namespace Understudy\Errors;

use Understudy\UnderstudyError;

/** The server refused the request, or its response was not one of the API. */
class ApiError extends UnderstudyError
{
    /**
     * @param string $code the stable code of the API's error, or `unexpected_response` or `unexpected_redirect`
     * @param string|null $requestId the id of the request in the logs of the server
     * @param list<array{field: string, message: string}> $details the invalid fields with their paths
     * @param float|null $retryAfter seconds after which the server accepts the request again
     * @param string|null $idempotencyKey the key of the call; pass it to repeat the call safely
     */
    final public function __construct(
        string $message,
        public readonly int $status,
        string $code,
        public readonly ?string $requestId = null,
        public readonly array $details = [],
        public readonly ?float $retryAfter = null,
        public readonly ?string $idempotencyKey = null,
    ) {
        parent::__construct($message);
        $this->code = $code;
    }
}
