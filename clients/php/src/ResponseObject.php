<?php

declare(strict_types=1);

namespace Understudy;

use Understudy\Internal\Fields;

/**
 * An object of a response. Its properties have the names of the fields in JSON. A property whose field is required
 * in the API document, but absent or null in the response, is not initialized: `isset()` returns false.
 */
trait ResponseObject
{
    /**
     * @param array<string, mixed> $raw the decoded object, with fields that this version does not know. An empty JSON
     *   object is an empty `ArrayObject`, so that `json_encode` writes it as `{}` again.
     * @throws \UnexpectedValueException if a field has another type than in the API document, or a page has no list
     */
    final public function __construct(public readonly array $raw)
    {
        foreach (self::FIELDS as $name => $type) {
            $field = rtrim($name, '?!');
            if (isset($raw[$field])) {
                $this->{$field} = Fields::read($type, $raw[$field], $field);
            } elseif (str_ends_with($name, '?')) {
                $this->{$field} = null;
            } elseif (str_ends_with($name, '!')) {
                throw new \UnexpectedValueException("{$field}: expected a list, received nothing");
            }
        }
    }

    public function jsonSerialize(): array|\stdClass
    {
        return $this->raw === [] ? new \stdClass() : $this->raw;
    }
}
