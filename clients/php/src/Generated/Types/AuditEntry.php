<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AuditEntry of a response. */
final class AuditEntry implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'occurred_at' => 'string',
        'action' => 'string',
        'actor' => AuditEntryActor::class,
        'target' => AuditEntryTarget::class,
        'request_id?' => 'string',
        'details' => 'map',
    ];

    public readonly string $id;

    /** Time of the change. */
    public readonly string $occurred_at;

    /**
     * The change that was made.
     *
     * @var 'organization.created'|'organization.plan_changed'|'token.created'|'token.rotated'|'token.revoked'|'token.sign_in_refused'|'member.invited'|'member.joined'|'member.role_changed'|'member.removed'|'member.forgotten'|'member.account_linked'|'member.sign_in_refused'|'enrolment_token.created'|'enrolment_token.revoked'|'agent.enrolled'|'agent.revoked'|'sync_job.created'|'model.uploaded'|'model.deleted'|'generator.registered'|'generator.deleted'|'mock_endpoint.created'|'mock_endpoint.deleted'|'sync_job.cancelled'|'sync_job.deleted'|'sync_job.released'|'sync_job.reverted'|'webhook.created'|'webhook.changed'|'webhook.secret_rotated'|'webhook.disabled'|'webhook.recovered'|'webhook.deleted'|'snapshot.created'|'snapshot.restored'|'snapshot.deleted'|'session.opened'|'session.ended'|'session.all_ended'|'sign_in_link.created'|'sign_in_link.refused'|string
     */
    public readonly string $action;

    public readonly AuditEntryActor $actor;

    public readonly AuditEntryTarget $target;

    /** Id of the request; null for the command line and the server. */
    public readonly ?string $request_id;

    /**
     * Names, roles and ids, but never a secret.
     *
     * @var array<string, mixed>
     */
    public readonly array $details;
}
