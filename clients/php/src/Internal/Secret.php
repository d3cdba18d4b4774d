<?php

declare(strict_types=1);

namespace Understudy\Internal;

/**
 * A text that no dump of the object shows. The object itself has no properties.
 *
 * @internal
 */
final class Secret
{
    /** @var \WeakMap<Secret, string>|null */
    private static ?\WeakMap $values = null;

    public function __construct(#[\SensitiveParameter] string $value)
    {
        self::$values ??= new \WeakMap();
        self::$values[$this] = $value;
    }

    public function reveal(): string
    {
        return self::$values[$this];
    }

    /** Replaces the secret in a text that comes from outside. */
    public function redact(string $text): string
    {
        return str_replace($this->reveal(), '[token]', $text);
    }

    private function __clone()
    {
    }

    public function __serialize(): array
    {
        throw new \LogicException('expected an object without a token, because a token cannot be serialized');
    }
}
