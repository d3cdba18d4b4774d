<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Member of a response. */
final class Member implements \JsonSerializable
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
}
