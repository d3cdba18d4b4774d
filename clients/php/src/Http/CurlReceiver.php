<?php

declare(strict_types=1);

namespace Understudy\Http;

/**
 * Receives the headers and the body from curl. Its closures do not refer to the transfer, so the transfer ends as soon
 * as its last reference is gone.
 *
 * @internal
 */
final class CurlReceiver
{
    private const MOST_HEADER_BYTES = 131_072;

    public int $status = 0;
    /** @var array<string, string> by lower-case name; the last value counts */
    public array $headers = [];
    public bool $hasHeaders = false;
    public bool $hasBody = false;
    /** The bytes of the body that nobody has read yet. */
    public string $buffer = '';
    /** The reason why this object ended the transfer. */
    public ?string $failure = null;
    private int $headerBytes = 0;

    /** @return array<int, \Closure> */
    public function options(): array
    {
        return [
            CURLOPT_HEADERFUNCTION => fn (\CurlHandle $_, string $line): int => $this->header($line),
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $_, string $bytes): int {
                $this->hasBody = true;
                $this->buffer .= $bytes;

                return \strlen($bytes);
            },
        ];
    }

    /** @return int the number of accepted bytes; a smaller number ends the transfer */
    private function header(string $line): int
    {
        $this->headerBytes += \strlen($line);
        if ($this->headerBytes > self::MOST_HEADER_BYTES) {
            $this->failure = 'the response has more than ' . self::MOST_HEADER_BYTES . ' bytes of headers';

            return 0;
        }
        if ($this->hasHeaders) { // a trailer of a chunked body
            return \strlen($line);
        }
        if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
            $this->status = (int) $found[1];
            $this->headers = [];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $this->headers[strtolower(trim($name))] = trim($value);
        } elseif (trim($line) === '' && $this->status >= 200) {
            $this->hasHeaders = true;
        }

        return \strlen($line);
    }
}
