<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->enrolmentTokens`. */
final class EnrolmentTokens
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the enrolment tokens.
     *
     * Returns all tokens, including used and expired ones. The newest token comes first.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListEnrolmentTokensResult
    {
        return $this->caller->call('listEnrolmentTokens', Types\ListEnrolmentTokensResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\EnrolmentToken>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'enrolment_tokens', $query);
    }

    /**
     * Creates a token that enrols one agent within an hour.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:write`.
     *
     * @throws \Understudy\UnderstudyError
     */
    public function create(#[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\NewEnrolmentToken
    {
        return $this->caller->call('createEnrolmentToken', Types\NewEnrolmentToken::class, body: $body, options: $options);
    }

    /**
     * Shows an enrolment token.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:read`.
     *
     * @param string $id Id of an enrolment token.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\EnrolmentToken
    {
        return $this->caller->call('getEnrolmentToken', Types\EnrolmentToken::class, [$id], options: $options);
    }

    /**
     * Revokes an enrolment token.
     *
     * An agent that the token enrolled stays enrolled.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `agents:write`.
     *
     * @param string $id Id of an enrolment token.
     * @throws \Understudy\UnderstudyError
     */
    public function revoke(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('revokeEnrolmentToken', Types\Deleted::class, [$id], options: $options);
    }
}
