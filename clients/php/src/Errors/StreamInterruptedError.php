<?php

declare(strict_types=1);

namespace Understudy\Errors;

use Understudy\UnderstudyError;

/** A stream of records ended early, or it contained more records than the server announced. */
final class StreamInterruptedError extends UnderstudyError
{
    /**
     * @param int $received number of complete records that arrived
     * @param int $expected number of records that the server announced
     * @param string $code the code of the server's error line; empty if the connection broke
     */
    public function __construct(
        string $message,
        public readonly int $received,
        public readonly int $expected,
        string $code = '',
    ) {
        parent::__construct($message);
        $this->code = $code;
    }
}
