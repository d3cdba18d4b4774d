<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The response of the endpoint, with all defaults filled in. */
final class MockResponse implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'count' => 'int',
        'wrapper?' => 'mixed',
        'status' => 'int',
        'headers' => 'map',
        'latency_ms?' => 'mixed',
        'fail_rate' => 'float',
    ];

    public readonly int $count;

    public readonly mixed $wrapper;

    public readonly int $status;

    /** @var array<string, string> */
    public readonly array $headers;

    /** @var int|array{min: int, max: int} */
    public readonly mixed $latency_ms;

    public readonly float $fail_rate;
}
