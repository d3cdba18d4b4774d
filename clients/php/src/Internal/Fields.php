<?php

declare(strict_types=1);

namespace Understudy\Internal;

/**
 * Reads the fields of a response, which can contain anything.
 *
 * @internal
 */
final class Fields
{
    /**
     * @param string|array{string} $type a name, a class or a list of one of them
     * @param string $path the path of the value, for the message
     * @throws \UnexpectedValueException if the value has another type
     */
    public static function read(string|array $type, mixed $value, string $path): mixed
    {
        if (\is_array($type)) {
            return self::items($type[0], $value, $path);
        }

        return match ($type) {
            'mixed' => $value,
            'string' => \is_string($value) ? $value : throw self::mismatch('a string', $value, $path),
            'bool' => \is_bool($value) ? $value : throw self::mismatch('a boolean', $value, $path),
            'int' => self::integer($value) ?? throw self::mismatch('an integer', $value, $path),
            'float' => \is_int($value) || \is_float($value) ? (float) $value
                : throw self::mismatch('a number', $value, $path),
            'map' => self::entries($value) ?? throw self::mismatch('an object', $value, $path),
            default => self::instance($type, $value, $path),
        };
    }

    private static function integer(mixed $value): ?int
    {
        $isWhole = \is_float($value) && floor($value) === $value && abs($value) < 2 ** 63;

        return \is_int($value) ? $value : ($isWhole ? (int) $value : null);
    }

    /** @return array<mixed>|null */
    private static function entries(mixed $value): ?array
    {
        return $value instanceof \ArrayObject ? [] : (\is_array($value) && $value !== [] ? $value : null);
    }

    /** @return list<mixed> */
    private static function items(string $type, mixed $value, string $path): array
    {
        if (!\is_array($value) || !array_is_list($value)) {
            throw self::mismatch('a list', $value, $path);
        }
        $items = [];
        foreach ($value as $index => $item) {
            $items[] = self::read($type, $item, "{$path}[{$index}]");
        }

        return $items;
    }

    private static function instance(string $class, mixed $value, string $path): object
    {
        $raw = self::entries($value);
        if ($raw === null || (array_is_list($raw) && $raw !== [])) {
            throw self::mismatch('an object', $value, $path);
        }
        try {
            return new $class($raw);
        } catch (\UnexpectedValueException $mismatch) {
            throw new \UnexpectedValueException("{$path}.{$mismatch->getMessage()}");
        }
    }

    private static function mismatch(string $expected, mixed $value, string $path): \UnexpectedValueException
    {
        $type = \is_array($value) ? 'a list or an object' : get_debug_type($value);

        return new \UnexpectedValueException("{$path}: expected {$expected}, received {$type}");
    }
}
