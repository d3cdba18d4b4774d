<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 401: the token is missing, unknown or expired. */
final class AuthenticationError extends ApiError
{
}
