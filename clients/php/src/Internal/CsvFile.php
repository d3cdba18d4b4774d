<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors\ConfigurationError;

/**
 * Writes a file that appears under its name only when it is complete.
 *
 * @internal
 */
final class CsvFile
{
    /**
     * @param string|resource $to a path, or a stream that the caller opened and closes
     * @param \Closure(\Closure(string): void): void $produce calls its argument with the bytes
     * @throws ConfigurationError if the file cannot be written
     */
    public static function write(mixed $to, \Closure $produce): void
    {
        if (\is_resource($to)) {
            $produce(static fn (string $bytes) => self::append($to, $bytes));

            return;
        }
        if (!\is_string($to) || $to === '') {
            throw new ConfigurationError('to: expected a path or an open stream.');
        }
        $part = $to . '.' . bin2hex(random_bytes(6)) . '.part';
        $file = @fopen($part, 'xb') ?: throw new ConfigurationError(
            'to: cannot create a file in this folder. Check that it exists and that you may write to it.',
        );
        $isComplete = false;
        try {
            $produce(static fn (string $bytes) => self::append($file, $bytes));
            $isComplete = fclose($file) && @rename($part, $to);
            if (!$isComplete) {
                throw new ConfigurationError('to: cannot write the file. Check the free space and the path.');
            }
        } finally {
            if (!$isComplete) {
                @unlink($part);
            }
        }
    }

    /** @param resource $file */
    private static function append($file, string $bytes): void
    {
        if (@fwrite($file, $bytes) !== \strlen($bytes)) {
            throw new ConfigurationError('to: cannot write all bytes. Check the free space and the stream.');
        }
    }
}
