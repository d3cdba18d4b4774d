<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobPhase of a response. */
final class SyncJobPhase implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'phase' => 'string',
        'seconds' => 'float',
    ];

    /**
     * The phase of the job.
     *
     * @var 'preflight'|'training'|'copying'|'indexing'|'verifying'|'switching'|string
     */
    public readonly string $phase;

    public readonly float $seconds;
}
