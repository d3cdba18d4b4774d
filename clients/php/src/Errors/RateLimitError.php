<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 429: the client sent too many requests. `retryAfter` contains the seconds to wait. */
final class RateLimitError extends ApiError
{
}
