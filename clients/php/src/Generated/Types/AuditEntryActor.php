<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AuditEntryActor of a response. */
final class AuditEntryActor implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'type' => 'string',
        'id?' => 'string',
        'member_id?' => 'string',
    ];

    /**
     * Type of the actor that made the change.
     *
     * @var 'token'|'member'|'agent'|'command_line'|'server'|string
     */
    public readonly string $type;

    /** Id of the actor; null for the command line and the server. */
    public readonly ?string $id;

    /** Member who owns the token; null for tokens of the organisation. */
    public readonly ?string $member_id;
}
