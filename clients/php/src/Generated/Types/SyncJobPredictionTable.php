<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type SyncJobPredictionTable of a response. */
final class SyncJobPredictionTable implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'name' => 'string',
        'rows_expected?' => 'int',
    ];

    public readonly string $name;

    /** Expected rows, rounded to two significant digits; null for fewer than ten. */
    public readonly ?int $rows_expected;
}
