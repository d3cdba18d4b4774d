<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListedSyncJobPrediction of a response. */
final class ListedSyncJobPrediction implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'ok' => 'bool',
        'problem_count' => 'int',
    ];

    /** Whether no problem was found. */
    public readonly bool $ok;

    /** Number of problems, including those that no list contains. */
    public readonly int $problem_count;
}
