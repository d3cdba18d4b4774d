<?php

declare(strict_types=1);

namespace Understudy\Errors;

use Understudy\UnderstudyError;

/** An option of the client or an argument of a call is invalid. The client sent nothing. */
final class ConfigurationError extends UnderstudyError
{
}
