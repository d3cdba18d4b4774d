<?php

declare(strict_types=1);

namespace Understudy\Internal;

/** @internal */
final class Json
{
    /**
     * Decodes JSON. Objects become arrays, but an empty object becomes an empty `ArrayObject`, so that it stays
     * different from an empty list. An integer that PHP cannot hold becomes a text with its digits.
     *
     * @throws \JsonException
     */
    public static function decode(string $json): mixed
    {
        if (preg_match('/\{\s*+\}/', $json) !== 1) {
            return json_decode($json, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
        }

        return self::toArrays(json_decode($json, false, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING));
    }

    private static function toArrays(mixed $value): mixed
    {
        if ($value instanceof \stdClass) {
            $entries = (array) $value;

            return $entries === [] ? new \ArrayObject() : array_map(self::toArrays(...), $entries);
        }

        return \is_array($value) ? array_map(self::toArrays(...), $value) : $value;
    }

    /**
     * Encodes the body of a request.
     *
     * @param array<mixed> $body
     * @param list<string> $objects the paths of the values that are objects, with `*` for each item or key. PHP cannot
     *   tell an empty object from an empty list.
     * @throws \JsonException
     */
    public static function encode(#[\SensitiveParameter] array $body, array $objects): string
    {
        foreach (array_reverse($objects) as $path) {
            $body = self::withObject($body, explode('.', $path));
        }

        return json_encode((object) $body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    }

    /** @param list<string> $path */
    private static function withObject(mixed $value, array $path): mixed
    {
        if (!\is_array($value)) {
            return $value;
        }
        if ($path === []) {
            return (object) $value;
        }
        $key = array_shift($path);
        foreach ($key === '*' ? array_keys($value) : [$key] as $each) {
            if (\array_key_exists($each, $value)) {
                $value[$each] = self::withObject($value[$each], $path);
            }
        }

        return $value;
    }
}
