<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type Organization of a response. */
final class Organization implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'plan' => 'string',
        'members' => 'int',
        'usage' => OrganizationUsage::class,
        'billing_cycle_end' => 'string',
        'warnings' => [OrganizationWarning::class],
    ];

    /** Id of the organisation. */
    public readonly string $id;

    public readonly string $name;

    /**
     * The plan, which sets limits and quotas.
     *
     * @var 'free'|'starter'|'team'|'business'|string
     */
    public readonly string $plan;

    /** Number of members, including invited ones. */
    public readonly int $members;

    public readonly OrganizationUsage $usage;

    /** When the month ends and its counts restart. */
    public readonly string $billing_cycle_end;

    /**
     * Problems that a member of the organisation should check.
     *
     * @var list<OrganizationWarning>
     */
    public readonly array $warnings;
}
