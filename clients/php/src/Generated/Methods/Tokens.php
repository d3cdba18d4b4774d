<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->tokens`. */
final class Tokens
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the API tokens.
     *
     * The newest tokens come first. Expired tokens are included.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `tokens:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListTokensResult
    {
        return $this->caller->call('listTokens', Types\ListTokensResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\Token>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'tokens', $query);
    }

    /**
     * Creates an API token.
     *
     * A token that is created with a member's token belongs to that member and ends with the membership. You
     * cannot grant more rights than you have.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `tokens:write`.
     *
     * Fields of `$body`:
     * - `name`: Name of the token. It must differ from the names of the other active tokens in more than the
     *   case of ASCII letters, compatibility forms, spaces and invisible characters.
     * - `role`: The role of the token, which cannot be above the caller's own role.
     * - `scopes`: Restricts the token to these scopes. Without them, the token may do everything that its
     *   role may do. `…:write` includes `…:read`.
     * - `expires_in_days`: Days until the token expires.
     *
     * @param array{
     *     name: string,
     *     role: 'viewer'|'member'|'admin'|'owner'|string,
     *     scopes?: list<'generate'|'models:read'|'models:write'|'generators:read'|'generators:write'|'endpoints:read'|'endpoints:write'|'jobs:read'|'jobs:write'|'snapshots:read'|'snapshots:write'|'agents:read'|'agents:write'|'org:read'|'org:write'|'webhooks:read'|'webhooks:write'|'tokens:read'|'tokens:write'|'audit:read'|string>,
     *     expires_in_days?: int,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function create(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\NewToken
    {
        return $this->caller->call('createToken', Types\NewToken::class, body: $body, options: $options);
    }

    /**
     * Shows an API token.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `tokens:read`.
     *
     * @param string $id Id of an API token.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\Token
    {
        return $this->caller->call('getToken', Types\Token::class, [$id], options: $options);
    }

    /**
     * Revokes an API token.
     *
     * The token is refused from the next request.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `tokens:write`.
     *
     * @param string $id Id of an API token.
     * @throws \Understudy\UnderstudyError
     */
    public function revoke(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('revokeToken', Types\Deleted::class, [$id], options: $options);
    }

    /**
     * Replaces the secret of an API token; the old secret stops working.
     *
     * The token keeps its id, role and scopes. Members of any role can rotate their own tokens; other tokens
     * need the role admin. Rotating another member's token invalidates it without showing a new one.
     * `needs_rotation` is then true until that member rotates it with another of their tokens. If the member
     * has no other token, remove the member and invite them again.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `tokens:write`.
     *
     * Fields of `$body`:
     * - `expires_in_days`: Days until the token expires.
     *
     * @param string $id Id of an API token.
     * @param array{expires_in_days?: int} $body
     * @throws \Understudy\UnderstudyError
     */
    public function rotate(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\RotatedToken
    {
        return $this->caller->call('rotateToken', Types\RotatedToken::class, [$id], body: $body, options: $options);
    }
}
