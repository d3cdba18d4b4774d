<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 402: a quota of the plan is used up. */
final class QuotaExceededError extends ApiError
{
}
