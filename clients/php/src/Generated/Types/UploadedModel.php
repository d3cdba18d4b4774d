<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type UploadedModel of a response. */
final class UploadedModel implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'locale' => 'string',
        'type' => 'string',
        'ngram_order' => 'int',
        'created_at' => 'string',
    ];

    /** `<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model. */
    public readonly string $id;

    /** Display name as given in the upload. */
    public readonly string $name;

    /** Locale of the model: `<lang>_<REGION>`. */
    public readonly string $locale;

    /**
     * Whether the model is part of the product or was uploaded.
     *
     * @var 'builtin'|'custom'|string
     */
    public readonly string $type;

    /** N-gram order. */
    public readonly int $ngram_order;

    /** When the model was uploaded. A fixed date for a built-in model. */
    public readonly string $created_at;
}
