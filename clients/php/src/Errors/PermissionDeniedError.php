<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 403: the role or the scopes of the token do not allow the operation. */
final class PermissionDeniedError extends ApiError
{
}
