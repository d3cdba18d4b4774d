<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** Status 500 to 599: the server failed. */
final class ServerError extends ApiError
{
}
