<?php

declare(strict_types=1);

namespace Understudy\Errors;

use Understudy\Generated\Types\SyncJob;
use Understudy\UnderstudyError;

/** `jobs->wait`: the job failed. `code` is the code of the job's error, for example `cancelled`. */
final class JobFailedError extends UnderstudyError
{
    public function __construct(string $message, public readonly SyncJob $job, string $code)
    {
        parent::__construct($message);
        $this->code = $code;
    }
}
