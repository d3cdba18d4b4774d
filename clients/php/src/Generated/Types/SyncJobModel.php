<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobModel of a response. */
final class SyncJobModel implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'hash' => 'string',
    ];

    /** Id of the model: `private/<name>` or `custom/<name>`. */
    public readonly string $name;

    public readonly string $hash;
}
