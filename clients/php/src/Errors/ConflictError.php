<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 409: the state of the resource does not allow the operation. */
final class ConflictError extends ApiError
{
}
