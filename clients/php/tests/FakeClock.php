<?php

declare(strict_types=1);

namespace Understudy\Tests;

use Understudy\Internal\Clock;

/** A clock that records delays. It does not wait, or it waits for a part of each delay. */
final class FakeClock extends Clock
{
    /** @var list<float> */
    public array $delays = [];
    private float $passed = 0.0;

    /** @param float $scale the part of each delay for which the clock really waits */
    public function __construct(private readonly float $scale = 0.0)
    {
    }

    public function now(): float
    {
        return parent::now() + $this->passed;
    }

    public function sleep(float $seconds): void
    {
        $this->delays[] = $seconds;
        $this->passed += $seconds * (1 - $this->scale);
        if ($this->scale > 0) {
            parent::sleep($seconds * $this->scale);
        }
    }
}
