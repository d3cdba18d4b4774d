<?php

declare(strict_types=1);

namespace Understudy\Internal;

/**
 * Time and randomness. Tests replace it.
 *
 * @internal
 */
class Clock
{
    /** Returns the Unix time in seconds. */
    public function now(): float
    {
        return microtime(true);
    }

    public function sleep(float $seconds): void
    {
        usleep((int) round($seconds * 1e6));
    }

    /** Returns a random number from 0 to 1. */
    public function random(): float
    {
        return random_int(0, 1 << 30) / (1 << 30);
    }
}
