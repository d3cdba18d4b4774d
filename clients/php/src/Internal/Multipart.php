<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors\ConfigurationError;

/** @internal */
final class Multipart
{
    /**
     * Encodes a body as multipart/form-data. Every attempt of a call sends the same bytes.
     *
     * @param array<string, mixed> $body a file is a text with its bytes, an open stream or an `SplFileInfo`
     * @return array{string, string} the media type and the bytes
     * @throws ConfigurationError if a file cannot be read or a field is no text
     */
    public static function encode(Operation $operation, #[\SensitiveParameter] array $body): array
    {
        $boundary = 'understudy-' . bin2hex(random_bytes(16));
        $bytes = '';
        foreach (array_filter($body, static fn (mixed $value): bool => $value !== null) as $name => $value) {
            $isFile = \in_array($name, $operation->files, true);
            $content = $isFile ? self::file($operation, $name, $value) : self::field($operation, $name, $value);
            $label = strtr((string) $name, ['"' => '%22', "\r" => '%0D', "\n" => '%0A']);
            $bytes .= "--{$boundary}\r\nContent-Disposition: form-data; name=\"{$label}\""
                . ($isFile ? "; filename=\"{$label}\"\r\nContent-Type: application/octet-stream" : '')
                . "\r\n\r\n{$content}\r\n";
        }

        return ["multipart/form-data; boundary={$boundary}", "{$bytes}--{$boundary}--\r\n"];
    }

    private static function field(Operation $operation, string $name, mixed $value): string
    {
        if (!\is_scalar($value)) {
            throw new ConfigurationError("{$operation->id}: expected a text or a number as {$name}.");
        }

        return \is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
    }

    private static function file(Operation $operation, string $name, mixed $value): string
    {
        $content = match (true) {
            \is_string($value) => $value,
            \is_resource($value) => stream_get_contents($value),
            $value instanceof \SplFileInfo => @file_get_contents($value->getPathname()),
            default => false,
        };
        if ($content === false) {
            throw new ConfigurationError(
                "{$operation->id}: expected the bytes, an open stream or an SplFileInfo of a readable file as {$name}.",
            );
        }

        return $content;
    }
}
