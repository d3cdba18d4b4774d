<?php

declare(strict_types=1);

namespace Understudy\Internal;

/**
 * An operation of the API. The generated table creates all of them.
 *
 * @internal
 */
final class Operation
{
    /**
     * @param string $path relative to the base URL, with placeholders such as `{id}`
     * @param 'always'|'beforeFirstByte'|'never' $retry when an attempt may be repeated
     * @param bool $key whether the operation accepts an idempotency key
     * @param bool $public whether the operation needs no token
     * @param bool $enveloped whether the response contains the result in `data`
     * @param list<string> $files the fields of a multipart request that are files
     * @param list<string> $objects the paths of the objects in the body
     */
    public function __construct(
        public readonly string $id,
        public readonly string $method,
        public readonly string $path,
        public readonly string $retry = 'always',
        public readonly bool $key = false,
        public readonly bool $public = false,
        public readonly bool $enveloped = true,
        public readonly array $files = [],
        public readonly array $objects = [],
    ) {
    }
}
