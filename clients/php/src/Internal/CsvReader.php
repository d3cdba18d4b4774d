<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors\StreamInterruptedError;
use Understudy\Http\Response;
use Understudy\Http\TransportFailure;

/**
 * Passes the bytes of a CSV file on and counts its records. A line break in quotes does not end a record.
 *
 * @internal
 */
final class CsvReader
{
    private const MOST_RECORD_BYTES = 16_777_216;

    private int $lines = 0;
    private bool $isQuoted = false;
    /** The number of bytes since the last end of a line. */
    private int $open = 0;

    public function __construct(
        private readonly Response $response,
        private readonly int $expected,
        private readonly ErrorReader $errors,
    ) {
    }

    /**
     * @param \Closure(string): void $write receives the bytes
     * @throws StreamInterruptedError if the file ends early or has more records than announced
     */
    public function copy(\Closure $write): void
    {
        try {
            foreach ($this->response->chunks() as $chunk) {
                $this->count($chunk);
                if ($this->received() > $this->expected || $this->open > self::MOST_RECORD_BYTES) {
                    throw $this->interrupted('the file contains more records than announced, or too long ones');
                }
                $write($chunk);
            }
        } catch (TransportFailure $failure) {
            throw $this->interrupted($this->errors->clean($failure->getMessage()));
        }
        if ($this->open > 0 || $this->received() !== $this->expected) {
            throw $this->interrupted('the server ended the file early');
        }
    }

    private function count(string $chunk): void
    {
        foreach (explode('"', $chunk) as $index => $part) {
            if ($index > 0) {
                $this->isQuoted = !$this->isQuoted;
                ++$this->open;
            }
            $end = $this->isQuoted ? false : strrpos($part, "\n");
            if ($end === false) {
                $this->open += \strlen($part);
            } else {
                $this->lines += substr_count($part, "\n");
                $this->open = \strlen($part) - $end - 1;
            }
        }
    }

    /** Returns the number of complete records. The first line is the header. */
    private function received(): int
    {
        return max(0, $this->lines - 1);
    }

    private function interrupted(string $reason): StreamInterruptedError
    {
        $received = $this->received();

        return new StreamInterruptedError(
            "generate: received {$received} of {$this->expected} records: {$reason}",
            $received,
            $this->expected,
        );
    }
}
