<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobDefinition of a response. */
final class SyncJobDefinition implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'definition' => DefinedSyncJob::class,
        'withheld' => ['string'],
    ];

    /** A request for `POST /v1/sync/jobs`, without its withheld parts. */
    public readonly DefinedSyncJob $definition;

    /**
     * Paths of the parts that are null in `definition`, such as `source.connection_string`,
     * `tables[3].subset.where` and `tables[0].columns.status`. Empty if the definition is complete.
     *
     * @var list<string>
     */
    public readonly array $withheld;
}
