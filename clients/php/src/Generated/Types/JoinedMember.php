<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type JoinedMember of a response. */
final class JoinedMember implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'email' => 'string',
        'name?' => 'string',
        'role' => 'string',
        'scopes?' => ['string'],
        'status' => 'string',
        'invited_at' => 'string',
        'joined_at?' => 'string',
        'organization_id' => 'string',
        'api_token_id' => 'string',
        'api_token' => 'string',
        'api_token_expires_at' => 'string',
    ];

    /** Id of the member. */
    public readonly string $id;

    /** The address as written in the invitation. */
    public readonly string $email;

    /** Null until the member sets a name. */
    public readonly ?string $name;

    /**
     * Role of the member. Each role includes the ones before it.
     *
     * @var 'viewer'|'member'|'admin'|'owner'|string
     */
    public readonly string $role;

    /**
     * Every token of the member is restricted to these scopes. Null: everything that the role may do.
     *
     * @var list<'generate'|'models:read'|'models:write'|'generators:read'|'generators:write'|'endpoints:read'|'endpoints:write'|'jobs:read'|'jobs:write'|'snapshots:read'|'snapshots:write'|'agents:read'|'agents:write'|'org:read'|'org:write'|'webhooks:read'|'webhooks:write'|'tokens:read'|'tokens:write'|'audit:read'|string>|null
     */
    public readonly ?array $scopes;

    /**
     * `active` after the member has accepted the invitation.
     *
     * @var 'invited'|'active'|string
     */
    public readonly string $status;

    /** When the member was invited. */
    public readonly string $invited_at;

    /** When the member accepted the invitation; null before. */
    public readonly ?string $joined_at;

    /** The organisation that the member joined. */
    public readonly string $organization_id;

    /** Id of the first API token. */
    public readonly string $api_token_id;

    /** The member's first API token. Only this response shows it. */
    public readonly string $api_token;

    /** When the token expires. */
    public readonly string $api_token_expires_at;
}
