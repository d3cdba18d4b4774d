<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->agents`. */
final class Agents
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the agents.
     *
     * Returns all agents, including revoked ones. The most recently enrolled agent comes first.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListAgentsResult
    {
        return $this->caller->call('listAgents', Types\ListAgentsResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\Agent>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'agents', $query);
    }

    /**
     * Shows an agent.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:read`.
     *
     * @param string $id Id of an agent.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\Agent
    {
        return $this->caller->call('getAgent', Types\Agent::class, [$id], options: $options);
    }

    /**
     * Revokes an agent permanently.
     *
     * A revoked agent gets no further work and no further credentials. If the agent is already revoked,
     * nothing changes.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:write`.
     *
     * @param string $id Id of an agent.
     * @throws \Understudy\UnderstudyError
     */
    public function revoke(string $id, ?CallOptions $options = null): Types\RevokedAgent
    {
        return $this->caller->call('revokeAgent', Types\RevokedAgent::class, [$id], options: $options);
    }

    /**
     * Lists the models that an agent trained.
     *
     * The models that were trained last come first. The control plane knows only their names and keyed
     * hashes.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param string $id Id of an agent.
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function listModels(string $id, array $query = [], ?CallOptions $options = null): Types\ListAgentModelsResult
    {
        return $this->caller->call('listAgentModels', Types\ListAgentModelsResult::class, [$id], query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `listModels`. It requests a page only when you need it.
     *
     * @param string $id Id of an agent.
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\AgentModel>
     * @throws \Understudy\UnderstudyError
     */
    public function iterateModels(string $id, array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->listModels($id, $page, $options), 'models', $query);
    }
}
