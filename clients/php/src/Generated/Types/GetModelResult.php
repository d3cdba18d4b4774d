<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type GetModelResult of a response. */
final class GetModelResult implements \JsonSerializable
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
        'description?' => 'string',
        'licence?' => 'string',
        'source?' => 'string',
        'modes?' => ['string'],
        'constraints?' => ['string'],
        'keys?' => ['string'],
        'distinct_values?' => 'int',
        'total_weight?' => 'float',
        'min_values?' => 'int',
        'novel_mass?' => 'float',
        'effective_values?' => 'float',
        'distinct_capacity?' => 'float',
        'token_count?' => 'int',
        'ngram_count?' => 'int',
        'updated_at?' => 'string',
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

    /** Description as given in the upload. */
    public readonly ?string $description;

    /** SPDX expression of the licence of the training data; may be empty. */
    public readonly ?string $licence;

    /** Origin of the training data; may be empty. */
    public readonly ?string $source;

    /**
     * Generation modes that the model supports. An uploaded model does not support `real_word`.
     *
     * @var list<string>|null
     */
    public readonly ?array $modes;

    /**
     * Top-level constraints that the model supports. An uploaded model does not support `exclude_originals`.
     *
     * @var list<string>|null
     */
    public readonly ?array $constraints;

    /**
     * The lists of a map of lists. A generator of the type `list` selects one with `key`. Null for any other
     * model.
     *
     * @var list<string>|null
     */
    public readonly ?array $keys;

    /** Number of distinct training values. */
    public readonly ?int $distinct_values;

    /** Sum of the weights of all training values. */
    public readonly ?float $total_weight;

    /** The model contains only patterns that at least this many distinct values share. 1 keeps all patterns. */
    public readonly ?int $min_values;

    /** Probability that a freely generated word is not one of the training values. */
    public readonly ?float $novel_mass;

    /** Number of equally likely values that would have the same variety. */
    public readonly ?float $effective_values;

    /** Number of distinct values that `unique` can generate before it is exhausted. */
    public readonly ?float $distinct_capacity;

    /** Number of training tokens; null for a list of values and for a composition. */
    public readonly ?int $token_count;

    /** Number of distinct n-grams; null for a list of values and for a composition. */
    public readonly ?int $ngram_count;

    /** When the model was last changed. */
    public readonly ?string $updated_at;

    /** HMAC of the model with a key that never leaves the agent. */
    public readonly ?string $hash;

    /** The agent that trained and stores the model. */
    public readonly ?string $agent_id;

    /** When the model was last trained. */
    public readonly ?string $trained_at;
}
