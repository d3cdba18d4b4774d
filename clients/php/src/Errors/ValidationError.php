<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 400, 413, 415 or 422: the request is invalid. `details` contains the invalid fields. */
final class ValidationError extends ApiError
{
}
