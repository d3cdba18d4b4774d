<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type ListModelsResultModel of a response. */
final class ListModelsResultModel implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'locale?' => 'string',
        'type' => 'string',
        'ngram_order?' => 'int',
        'created_at?' => 'string',
        'kind' => 'string',
        'token_type?' => 'string',
        'hash?' => 'string',
        'agent_id?' => 'string',
        'trained_at?' => 'string',
    ];

    /** `<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model. */
    public readonly string $id;

    /** Display name as given in the upload. */
    public readonly string $name;

    /** Locale of the model: `<lang>_<REGION>`. */
    public readonly ?string $locale;

    /**
     * Whether the model is part of the product or was uploaded.
     *
     * @var 'builtin'|'custom'|'private'|string
     */
    public readonly string $type;

    /** N-gram order; null for a list of values and for a composition. */
    public readonly ?int $ngram_order;

    /** When the model was uploaded. A fixed date for a built-in model. */
    public readonly ?string $created_at;

    /**
     * The kind of the model.
     *
     * @var 'ngram'|'list'|'composition'|string
     */
    public readonly string $kind;

    /**
     * Token kind; null for a list of values and for a composition.
     *
     * @var 'char'|'word'|string|null
     */
    public readonly ?string $token_type;

    /** HMAC of the model with a key that never leaves the agent. */
    public readonly ?string $hash;

    /** The agent that trained and stores the model. */
    public readonly ?string $agent_id;

    /** When the model was last trained. */
    public readonly ?string $trained_at;
}
