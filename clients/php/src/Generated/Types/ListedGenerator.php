<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListedGenerator of a response. */
final class ListedGenerator implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'version' => 'string',
        'description' => 'string',
        'output' => 'string',
        'created_at' => 'string',
    ];

    /** `name@version`. */
    public readonly string $id;

    /** `@<namespace>/<package>:<name>`, the value of `use` in definitions. */
    public readonly string $name;

    /** Semantic version. */
    public readonly string $version;

    public readonly string $description;

    /** Kind of the generated values. */
    public readonly string $output;

    /** Time of registration. */
    public readonly string $created_at;
}
