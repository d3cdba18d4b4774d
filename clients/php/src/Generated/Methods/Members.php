<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->members`. */
final class Members
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the members.
     *
     * The newest members come first. Invited members are included.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `org:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListMembersResult
    {
        return $this->caller->call('listMembers', Types\ListMembersResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\Member>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'members', $query);
    }

    /**
     * Invites a member.
     *
     * You cannot invite a member with a role above your own. If your token is restricted to scopes, every
     * token of the new member is restricted to them, too.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `org:write`.
     *
     * Fields of `$body`:
     * - `email`: E-mail address. Addresses that differ only in the case of ASCII letters, in compatibility
     *   forms of characters or in invisible characters belong to the same member.
     * - `role`: The member's role, which cannot be above the caller's own role.
     *
     * @param array{email: string, role: 'viewer'|'member'|'admin'|'owner'|string} $body
     * @throws \Understudy\UnderstudyError
     */
    public function invite(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\InvitedMember
    {
        return $this->caller->call('inviteMember', Types\InvitedMember::class, body: $body, options: $options);
    }

    /**
     * Turns an invitation into membership and a first API token.
     *
     * An invitation token works once. This operation needs no API token.
     *
     * Requires no token.
     *
     * Fields of `$body`:
     * - `token`: The invitation token, which works once.
     * - `name`: The member's name.
     *
     * @param array{token: string, name?: string} $body
     * @throws \Understudy\UnderstudyError
     */
    public function acceptInvitation(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\JoinedMember
    {
        return $this->caller->call('acceptInvitation', Types\JoinedMember::class, body: $body, options: $options);
    }

    /**
     * Shows a member.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `org:read`.
     *
     * @param string $id Id of a member.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\Member
    {
        return $this->caller->call('getMember', Types\Member::class, [$id], options: $options);
    }

    /**
     * Changes a member's role.
     *
     * The change applies from the member's next request. The last owner must stay an owner. A token that is
     * restricted to scopes can raise only members whose `scopes` it covers.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `org:write`.
     *
     * Fields of `$body`:
     * - `role`: The member's role, which cannot be above the caller's own role.
     *
     * @param string $id Id of a member.
     * @param array{role: 'viewer'|'member'|'admin'|'owner'|string} $body
     * @throws \Understudy\UnderstudyError
     */
    public function change(string $id, #[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\Member
    {
        return $this->caller->call('changeMember', Types\Member::class, [$id], body: $body, options: $options);
    }

    /**
     * Removes a member and revokes the tokens and invitations that the member made.
     *
     * Removes the member and revokes the member's tokens. It also revokes the open invitations and unused
     * enrolment tokens that the member made. Every token of the organisation that the member rotated last is
     * revoked, too. The last owner cannot be removed.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `org:write`.
     *
     * @param string $id Id of a member.
     * @throws \Understudy\UnderstudyError
     */
    public function remove(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('removeMember', Types\Deleted::class, [$id], options: $options);
    }
}
