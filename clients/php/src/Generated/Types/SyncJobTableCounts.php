<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** Number of tables with each status. */
final class SyncJobTableCounts implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'pending' => 'int',
        'copying' => 'int',
        'indexing' => 'int',
        'verifying' => 'int',
        'completed' => 'int',
    ];

    /** Tables with the status `pending`. */
    public readonly int $pending;

    /** Tables with the status `copying`. */
    public readonly int $copying;

    /** Tables with the status `indexing`. */
    public readonly int $indexing;

    /** Tables with the status `verifying`. */
    public readonly int $verifying;

    /** Tables with the status `completed`. */
    public readonly int $completed;
}
