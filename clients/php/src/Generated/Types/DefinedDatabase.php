<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The database to read. */
final class DefinedDatabase implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'type' => 'string',
        'connection_string?' => 'string',
    ];

    /** @var 'postgresql'|string */
    public readonly string $type;

    /** `agent:<name>`; null for a URL, which is withheld. */
    public readonly ?string $connection_string;
}
