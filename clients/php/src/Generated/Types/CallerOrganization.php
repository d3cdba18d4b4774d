<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The organisation of the token. */
final class CallerOrganization implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'plan' => 'string',
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
}
