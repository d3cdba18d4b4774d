<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AgentModel of a response. */
final class AgentModel implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'hash' => 'string',
        'agent_id' => 'string',
        'trained_at' => 'string',
    ];

    /** Id of the model: `private/<name>`. */
    public readonly string $id;

    public readonly string $name;

    /** HMAC of the model with a key that never leaves the agent. */
    public readonly string $hash;

    /** The agent that trained and stores the model. */
    public readonly string $agent_id;

    /** When the model was last trained. */
    public readonly string $trained_at;
}
