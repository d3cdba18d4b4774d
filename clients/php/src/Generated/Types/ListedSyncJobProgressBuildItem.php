<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListedSyncJobProgressBuildItem of a response. */
final class ListedSyncJobProgressBuildItem implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'phase' => 'string',
        'status' => 'string',
        'done' => 'int',
        'total?' => 'int',
        'estimated_end?' => 'string',
    ];

    /**
     * `objects`: definitions before the rows. `indexes`: tables whose indexes are built, and tables that are
     * analyzed. `keys`: foreign keys, and then other definitions such as triggers. `views`: materialized
     * views, and then row security and event triggers. `swap`: owners, privileges and the names of both
     * databases.
     *
     * @var 'objects'|'rows'|'indexes'|'keys'|'views'|'swap'|string
     */
    public readonly string $phase;

    /**
     * Status of the phase.
     *
     * @var 'pending'|'running'|'completed'|string
     */
    public readonly string $status;

    /** Completed steps of the phase; copied rows of `rows`. */
    public readonly int $done;

    /**
     * Number of all steps or rows. Null while it is unknown, and if an earlier attempt has completed the
     * phase.
     */
    public readonly ?int $total;

    /** Estimated end of the phase. Null unless the phase is running, and while there is no estimate. */
    public readonly ?string $estimated_end;
}
