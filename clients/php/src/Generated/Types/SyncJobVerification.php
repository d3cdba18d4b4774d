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

    /** @var list<SyncJobVerificationCheck> */
    public readonly array $checks;
}
