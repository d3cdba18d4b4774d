<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->auditLog`. */
final class AuditLog
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the entries of the audit log.
     *
     * Returns the newest entry first. Entries never change. They are deleted after the retention time that
     * the operator configures (two years by default). `details.email` is absent if the address of a removed
     * member was erased.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `audit:read`.
     *
     * Fields of `$query`:
     * - `action`: Returns only entries of this action.
     * - `actor_id`: Returns only changes by this token, member or agent.
     * - `target_id`: Returns only changes to the resource with this id.
     * - `request_id`: Returns only changes that the request with this id made (`meta.request_id` of its
     *   response).
     * - `occurred_after`: Returns only changes at this time or later (ISO 8601).
     * - `occurred_before`: Returns only changes before this time (ISO 8601).
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{
     *     action?: 'organization.created'|'organization.plan_changed'|'token.created'|'token.rotated'|'token.revoked'|'token.sign_in_refused'|'member.invited'|'member.joined'|'member.role_changed'|'member.removed'|'member.forgotten'|'member.account_linked'|'member.sign_in_refused'|'enrolment_token.created'|'enrolment_token.revoked'|'agent.enrolled'|'agent.revoked'|'sync_job.created'|'model.uploaded'|'model.deleted'|'generator.registered'|'generator.deleted'|'mock_endpoint.created'|'mock_endpoint.deleted'|'sync_job.cancelled'|'sync_job.deleted'|'sync_job.released'|'sync_job.reverted'|'webhook.created'|'webhook.changed'|'webhook.secret_rotated'|'webhook.disabled'|'webhook.recovered'|'webhook.deleted'|'snapshot.created'|'snapshot.restored'|'snapshot.deleted'|'session.opened'|'session.ended'|'session.all_ended'|'sign_in_link.created'|'sign_in_link.refused'|string,
     *     actor_id?: string,
     *     target_id?: string,
     *     request_id?: string,
     *     occurred_after?: string,
     *     occurred_before?: string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListAuditEntriesResult
    {
        return $this->caller->call('listAuditEntries', Types\ListAuditEntriesResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{
     *     action?: 'organization.created'|'organization.plan_changed'|'token.created'|'token.rotated'|'token.revoked'|'token.sign_in_refused'|'member.invited'|'member.joined'|'member.role_changed'|'member.removed'|'member.forgotten'|'member.account_linked'|'member.sign_in_refused'|'enrolment_token.created'|'enrolment_token.revoked'|'agent.enrolled'|'agent.revoked'|'sync_job.created'|'model.uploaded'|'model.deleted'|'generator.registered'|'generator.deleted'|'mock_endpoint.created'|'mock_endpoint.deleted'|'sync_job.cancelled'|'sync_job.deleted'|'sync_job.released'|'sync_job.reverted'|'webhook.created'|'webhook.changed'|'webhook.secret_rotated'|'webhook.disabled'|'webhook.recovered'|'webhook.deleted'|'snapshot.created'|'snapshot.restored'|'snapshot.deleted'|'session.opened'|'session.ended'|'session.all_ended'|'sign_in_link.created'|'sign_in_link.refused'|string,
     *     actor_id?: string,
     *     target_id?: string,
     *     request_id?: string,
     *     occurred_after?: string,
     *     occurred_before?: string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @return \Generator<int, Types\AuditEntry>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'entries', $query);
    }
}
