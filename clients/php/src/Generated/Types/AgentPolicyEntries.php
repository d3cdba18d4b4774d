<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** Number of entries in the lists `databases` or `urls` of an agent's policy. */
final class AgentPolicyEntries implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'total' => 'int',
        'source' => 'int',
        'target' => 'int',
        'snapshot' => 'int',
        'restore' => 'int',
        'replace' => 'int',
    ];

    /** Number of entries. */
    public readonly int $total;

    /** Number of entries that jobs may copy from. */
    public readonly int $source;

    /** Number of entries that jobs may copy to. */
    public readonly int $target;

    /** Number of entries that snapshots may be created from. */
    public readonly int $snapshot;

    /** Number of entries that snapshots may be restored into. */
    public readonly int $restore;

    /** Number of entries that jobs may replace as a whole. */
    public readonly int $replace;
}
