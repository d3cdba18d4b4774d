<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobVerification of a response. */
final class SyncJobVerification implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'ok' => 'bool',
        'checks' => [SyncJobVerificationCheck::class],
    ];

    /** Whether all checks succeeded. */
    public readonly bool $ok;

    /**
     * The checks of all tables. An agent omits successful checks beyond 40,000.
     *
     * @var list<SyncJobVerificationCheck>
     */
    public readonly array $checks;
}
