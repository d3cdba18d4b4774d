<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;

/** The methods of `$client->organization`. */
final class Organization
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Shows the organisation, its plan and its usage.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `org:read`.
     *
     * @throws \Understudy\UnderstudyError
     */
    public function get(?CallOptions $options = null): Types\Organization
    {
        return $this->caller->call('getOrganization', Types\Organization::class, options: $options);
    }

    /**
     * Changes the organisation's plan.
     *
     * Limits and quotas of the new plan apply from the next request. Resources beyond the quotas of a
     * smaller plan stay, but you cannot add more.
     *
     * Requires the role `owner` or a higher one. A token that is limited to scopes also needs the scope
     * `org:write`.
     *
     * Fields of `$body`:
     * - `plan`: The plan, which sets limits and quotas from the next request.
     *
     * @param array{plan: 'free'|'starter'|'team'|'business'|string} $body
     * @throws \Understudy\UnderstudyError
     */
    public function change(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\Organization
    {
        return $this->caller->call('changeOrganization', Types\Organization::class, body: $body, options: $options);
    }

    /**
     * Shows the usage of the organisation by day.
     *
     * Days are in UTC. Calls of the dashboard and `POST /generate` do not count.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `org:read`.
     *
     * Fields of `$query`:
     * - `first_day`: First day in UTC, among the last 400 days. Default: 29 days before `last_day`.
     * - `last_day`: Last day in UTC, at most 91 days after `first_day`. Default: today.
     *
     * @param array{first_day?: string, last_day?: string} $query
     * @throws \Understudy\UnderstudyError
     */
    public function usage(array $query = [], ?CallOptions $options = null): Types\DailyUsage
    {
        return $this->caller->call('getUsage', Types\DailyUsage::class, query: $query, options: $options);
    }
}
