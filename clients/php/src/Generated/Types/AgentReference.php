<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AgentReference of a response. */
final class AgentReference implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id?' => 'string',
        'name?' => 'string',
        'labels' => ['string'],
    ];

    /** Id of the agent. */
    public readonly ?string $id;

    /** Name of the agent. */
    public readonly ?string $name;

    /**
     * The agent must have all of these labels.
     *
     * @var list<string>
     */
    public readonly array $labels;
}
