<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListEnrolmentTokensResult of a response. */
final class ListEnrolmentTokensResult implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'enrolment_tokens!' => [EnrolmentToken::class],
        'total' => 'int',
        'page' => 'int',
        'per_page' => 'int',
    ];

    /** @var list<EnrolmentToken> */
    public readonly array $enrolment_tokens;

    /** Number of items on all pages. */
    public readonly int $total;

    /** Value from the request, or its default. */
    public readonly int $page;

    /** Value from the request, or its default. */
    public readonly int $per_page;
}
