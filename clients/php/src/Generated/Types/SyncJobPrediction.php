<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobPrediction of a response. */
final class SyncJobPrediction implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'ok' => 'bool',
        'problem_count' => 'int',
        'problems' => [SyncJobPredictionProblem::class],
        'tables' => [SyncJobPredictionTable::class],
    ];

    /** Whether no problem was found. */
    public readonly bool $ok;

    /** Number of problems, including those that no list contains. */
    public readonly int $problem_count;

    /**
     * Problems that would fail a run; at most 100.
     *
     * @var list<SyncJobPredictionProblem>
     */
    public readonly array $problems;

    /**
     * Tables that could be inspected.
     *
     * @var list<SyncJobPredictionTable>
     */
    public readonly array $tables;
}
