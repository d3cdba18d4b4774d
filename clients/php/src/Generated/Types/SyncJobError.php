<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobError of a response. */
final class SyncJobError implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'code' => 'string',
        'message' => 'string',
        'details' => [FieldProblem::class],
    ];

    /** Stable error code. */
    public readonly string $code;

    public readonly string $message;

    /**
     * Problems that the agent's checks found before it copied a row, each with its path in the request. For
     * a missing privilege, the message contains the SQL that grants it.
     *
     * @var list<FieldProblem>
     */
    public readonly array $details;
}
