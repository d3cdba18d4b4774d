<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Generator of a response. */
final class Generator implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'version' => 'string',
        'description' => 'string',
        'output' => 'string',
        'created_at' => 'string',
        'definition' => 'map',
        'hash' => 'string',
        'versions' => ['string'],
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

    /**
     * The definition as it was registered.
     *
     * @var array<string, mixed>
     */
    public readonly array $definition;

    /** SHA-256 of the definition, which agents verify. */
    public readonly string $hash;

    /**
     * All versions of the composition, the highest first.
     *
     * @var list<string>
     */
    public readonly array $versions;
}
