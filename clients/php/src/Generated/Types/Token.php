<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Token of a response. */
final class Token implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'role' => 'string',
        'scopes?' => ['string'],
        'hint' => 'string',
        'member_id?' => 'string',
        'needs_rotation' => 'bool',
        'created_at' => 'string',
        'expires_at' => 'string',
        'last_used_at?' => 'string',
    ];

    /** Id of the token. It is not secret. */
    public readonly string $id;

    public readonly string $name;

    /**
     * The role of the token, which cannot be above the role of its member.
     *
     * @var 'viewer'|'member'|'admin'|'owner'|string
     */
    public readonly string $role;

    /**
     * Scopes to which the token is restricted. Null: everything that the role may do.
     *
     * @var list<'generate'|'models:read'|'models:write'|'generators:read'|'generators:write'|'endpoints:read'|'endpoints:write'|'jobs:read'|'jobs:write'|'snapshots:read'|'snapshots:write'|'agents:read'|'agents:write'|'org:read'|'org:write'|'webhooks:read'|'webhooks:write'|'tokens:read'|'tokens:write'|'audit:read'|string>|null
     */
    public readonly ?array $scopes;

    /** The first characters of the token. */
    public readonly string $hint;

    /** The member who owns the token; null for a token of the organisation. */
    public readonly ?string $member_id;

    /**
     * True if another member rotated the token, which invalidated it. It works again after the member who
     * owns it has rotated it.
     */
    public readonly bool $needs_rotation;

    /** When the token was created. */
    public readonly string $created_at;

    /** When the token expires. */
    public readonly string $expires_at;

    /** When the token was last used, exact to the minute. Null if it was never used. */
    public readonly ?string $last_used_at;
}
