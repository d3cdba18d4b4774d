<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type NewEnrolmentToken of a response. */
final class NewEnrolmentToken implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'status' => 'string',
        'created_at' => 'string',
        'expires_at' => 'string',
        'used_at?' => 'string',
        'agent_id?' => 'string',
        'token?' => 'string',
        'install' => InstallLines::class,
    ];

    /** Id of the token. It is not a secret. */
    public readonly string $id;

    /**
     * Only an `unused` token can enrol an agent.
     *
     * @var 'unused'|'used'|'expired'|string
     */
    public readonly string $status;

    /** Time of creation. */
    public readonly string $created_at;

    /** Time at which the token expires. */
    public readonly string $expires_at;

    /** Time at which the token was used; null while unused. */
    public readonly ?string $used_at;

    /** Id of the agent that the token enrolled; null while unused. */
    public readonly ?string $agent_id;

    /** The enrolment token. It is shown only in this response. */
    public readonly ?string $token;

    public readonly InstallLines $install;
}
