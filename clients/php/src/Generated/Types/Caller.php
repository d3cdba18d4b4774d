<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Caller of a response. */
final class Caller implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'role' => 'string',
        'scopes?' => ['string'],
        'organization' => CallerOrganization::class,
        'member?' => CallerMember::class,
        'token?' => CallerToken::class,
    ];

    /**
     * The lower one of the token's role and the role of the member who owns it.
     *
     * @var 'viewer'|'member'|'admin'|'owner'|string
     */
    public readonly string $role;

    /**
     * The scopes to which the token is restricted. Null: everything that the role may do.
     *
     * @var list<'generate'|'models:read'|'models:write'|'generators:read'|'generators:write'|'endpoints:read'|'endpoints:write'|'jobs:read'|'jobs:write'|'snapshots:read'|'snapshots:write'|'agents:read'|'agents:write'|'org:read'|'org:write'|'webhooks:read'|'webhooks:write'|'tokens:read'|'tokens:write'|'audit:read'|string>|null
     */
    public readonly ?array $scopes;

    /** The organisation of the token. */
    public readonly CallerOrganization $organization;

    /** The member who owns the token; null for a token of the organisation. */
    public readonly ?CallerMember $member;

    /** The token of the request; null for a session of the dashboard. */
    public readonly ?CallerToken $token;
}
