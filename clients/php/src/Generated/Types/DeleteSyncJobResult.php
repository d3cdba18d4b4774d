<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type DeleteSyncJobResult of a response. */
final class DeleteSyncJobResult implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'cancelled' => 'bool',
        'deleted' => 'bool',
        'status?' => 'string',
    ];

    /** Id of the job. */
    public readonly string $id;

    public readonly bool $cancelled;

    public readonly bool $deleted;

    /**
     * Status at the time of the response.
     *
     * @var 'pending'|'running'|'completed'|'failed'|string|null
     */
    public readonly ?string $status;
}
