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
        'problems' => [SyncJobPredictionProblem::class],
        'problem_count' => 'int',
        'tables' => [SyncJobPredictionTable::class],
    ];

    /** Whether no problem was found. */
    public readonly bool $ok;

    /**
     * Problems that would fail a run; at most 100.
     *
     * @var list<SyncJobPredictionProblem>
     */
    public readonly array $problems;

    /** Number of problems, including those beyond the list. */
    public readonly int $problem_count;

    /**
     * Tables that could be inspected.
     *
     * @var list<SyncJobPredictionTable>
     */
    public readonly array $tables;
}
