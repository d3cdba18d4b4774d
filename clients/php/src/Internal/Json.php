<?php

declare(strict_types=1);

namespace Understudy\Internal;

/** @internal */
final class Json
{
    /** A complete decimal that is neither within a text nor a key. A malformed number stays malformed. */
    private const DECIMAL = '/"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)'
        . '|(?<![\d.eE+-])-?(?:0|[1-9]\d*+)(?=[.eE])(?:\.\d++)?(?:[eE][+-]?\d++)?(?![\d.eE+-]|\s*+:)/s';

    /**
     * Decodes JSON. Objects become arrays, but an empty object becomes an empty `ArrayObject`, so that it stays
     * different from an empty list. A number that PHP cannot hold becomes a text with its digits.
     *
     * @throws \JsonException
     */
    public static function decode(string $json): mixed
    {
        $json = self::withTexts($json);
        if (preg_match('/\{\s*+\}/', $json) !== 1) {
            return json_decode($json, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
        }

        return self::toArrays(json_decode($json, false, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING));
    }

    /**
     * Replaces decimals by texts if a double prints them in another way.
     *
     * @throws \JsonException
     */
    private static function withTexts(string $json): string
    {
        // A double holds 15 digits.
        if (preg_match('/[0-9.]{17}|\d[eE]/', $json) !== 1) {
            return $json;
        }
        $replaced = preg_replace_callback(
            self::DECIMAL,
            static fn (array $found): string => self::isDouble($found[0]) ? $found[0] : "\"{$found[0]}\"",
            $json,
        );

        return $replaced ?? throw new \JsonException(preg_last_error_msg());
    }

    private static function isDouble(string $decimal): bool
    {
        $double = (float) $decimal;

        return is_finite($double) && self::normal($decimal) === self::normal(sprintf('%.*H', -1, $double));
    }

    /** @return array{string, string, int} the sign, the digits without zeros around them, and the exponent */
    private static function normal(string $decimal): array
    {
        [$number, $exponent] = explode('e', strtolower($decimal)) + [1 => '0'];
        [$whole, $fraction] = explode('.', ltrim($number, '-')) + [1 => ''];
        $digits = rtrim($whole . $fraction, '0');
        $shift = \strlen($whole) - \strlen($digits);
        $digits = ltrim($digits, '0');

        return $digits === '' ? ['', '', 0] : [$number[0] === '-' ? '-' : '', $digits, (int) $exponent + $shift];
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
