<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated;

use Understudy\CallOptions;
use Understudy\Internal\Caller;

/** The groups of methods of the client, and the methods without a group. */
abstract class Resources
{
    public readonly Methods\Models $models;
    public readonly Methods\Generators $generators;
    public readonly Methods\MockEndpoints $mockEndpoints;
    public readonly Methods\Jobs $jobs;
    public readonly Methods\Snapshots $snapshots;
    public readonly Methods\Organization $organization;
    public readonly Methods\Members $members;
    public readonly Methods\Tokens $tokens;
    public readonly Methods\Agents $agents;
    public readonly Methods\EnrolmentTokens $enrolmentTokens;
    public readonly Methods\Webhooks $webhooks;
    public readonly Methods\AuditLog $auditLog;

    protected function __construct(protected readonly Caller $caller)
    {
        $this->models = new Methods\Models($caller);
        $this->generators = new Methods\Generators($caller);
        $this->mockEndpoints = new Methods\MockEndpoints($caller);
        $this->jobs = new Methods\Jobs($caller);
        $this->snapshots = new Methods\Snapshots($caller);
        $this->organization = new Methods\Organization($caller);
        $this->members = new Methods\Members($caller);
        $this->tokens = new Methods\Tokens($caller);
        $this->agents = new Methods\Agents($caller);
        $this->enrolmentTokens = new Methods\EnrolmentTokens($caller);
        $this->webhooks = new Methods\Webhooks($caller);
        $this->auditLog = new Methods\AuditLog($caller);
    }

    /**
     * Shows the caller: role, scopes, organisation, member and token.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes needs no scope.
     *
     * @throws \Understudy\UnderstudyError
     */
    public function whoami(?CallOptions $options = null): Types\Caller
    {
        return $this->caller->call('whoami', Types\Caller::class, options: $options);
    }

    /**
     * Describes this API as OpenAPI 3.1.
     *
     * The document changes only with the version of the server.
     *
     * Requires no token.
     *
     * @return array<string, mixed>
     * @throws \Understudy\UnderstudyError
     */
    public function apiDescription(?CallOptions $options = null): array
    {
        return $this->caller->json('getApiDescription', options: $options);
    }
}
