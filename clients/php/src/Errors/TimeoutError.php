<?php

declare(strict_types=1);

namespace Understudy\Errors;

/** No response arrived in time. The server may have carried out the request. */
final class TimeoutError extends ConnectionError
{
}
