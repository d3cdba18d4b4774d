<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 404: the resource does not exist. */
final class NotFoundError extends ApiError
{
}
