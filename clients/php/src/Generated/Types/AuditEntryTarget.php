<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AuditEntryTarget of a response. */
final class AuditEntryTarget implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'type' => 'string',
        'id' => 'string',
    ];

    /**
     * Type of the changed resource.
     *
     * @var 'organization'|'token'|'member'|'enrolment_token'|'agent'|'sync_job'|'model'|'generator'|'mock_endpoint'|'webhook'|'snapshot'|'session'|'sign_in_link'|string
     */
    public readonly string $type;

    public readonly string $id;
}
