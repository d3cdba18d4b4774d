<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobPredictionProblem of a response. */
final class SyncJobPredictionProblem implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'code' => 'string',
        'message' => 'string',
        'details' => [FieldProblem::class],
    ];

    /** Stable code, as in `error`. */
    public readonly string $code;

    public readonly string $message;

    /**
     * Details, as in `error`.
     *
     * @var list<FieldProblem>
     */
    public readonly array $details;
}
