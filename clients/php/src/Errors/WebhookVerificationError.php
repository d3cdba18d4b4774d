<?php

declare(strict_types=1);

namespace Understudy\Errors;

use Understudy\UnderstudyError;

/** A webhook request is not authentic. Respond to it with 401. */
final class WebhookVerificationError extends UnderstudyError
{
    /**
     * @param string $reason `missing_signature`, `malformed_signature`, `wrong_signature`,
     *   `timestamp_out_of_tolerance` or `malformed_body`
     */
    public function __construct(string $message, public readonly string $reason)
    {
        parent::__construct($message);
    }
}
