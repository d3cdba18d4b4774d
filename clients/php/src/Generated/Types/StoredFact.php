<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type StoredFact of a response. */
final class StoredFact implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'path' => 'string',
        'origin' => 'string',
        'description' => 'string',
        'value_count?' => 'int',
        'values?' => ['string'],
    ];

    /** Path of the fact in the job. Facts that a job does not show have a path of their own. */
    public readonly string $path;

    /**
     * The source of the fact: your request, an agent, or the control plane.
     *
     * @var 'request'|'agent'|'control_plane'|string
     */
    public readonly string $origin;

    /** Meaning of the fact. */
    public readonly string $description;

    /** Number of stored values. Null if the values are not shown. */
    public readonly ?int $value_count;

    /**
     * The first 20 distinct values as text, each of at most 500 characters. Null if the values are not
     * shown, because they can contain what you wrote in the request.
     *
     * @var list<string>|null
     */
    public readonly ?array $values;
}
