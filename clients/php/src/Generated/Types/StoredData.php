<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type StoredData of a response. */
final class StoredData implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'facts' => [StoredFact::class],
        'messages' => [StoredDataMessage::class],
        'enums' => [StoredDataEnum::class],
    ];

    /**
     * Everything that is stored about the job.
     *
     * @var list<StoredFact>
     */
    public readonly array $facts;

    /**
     * Every message that an agent can send about a job.
     *
     * @var list<StoredDataMessage>
     */
    public readonly array $messages;

    /**
     * The values of each field of the kind `choice`.
     *
     * @var list<StoredDataEnum>
     */
    public readonly array $enums;
}
