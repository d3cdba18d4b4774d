<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/**
 * Selects the agents that may run the work. An agent must match each given field. By default, any agent that
 * offers the databases may run the work. A connection URL is sealed only to agents that may run the work.
 */
final class AgentSelector implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id?' => 'string',
        'name?' => 'string',
        'labels?' => ['string'],
    ];

    /**
     * Id of the agent. The control plane assigns ids; names and labels are chosen by the person who
     * configures the agent.
     */
    public readonly ?string $id;

    /** Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same name. */
    public readonly ?string $name;

    /**
     * Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.
     *
     * @var list<string>|null
     */
    public readonly ?array $labels;
}
