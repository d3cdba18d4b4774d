<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\Errors\StreamInterruptedError;
use Understudy\Http\Response;
use Understudy\Http\TransportFailure;

/**
 * Reads records from NDJSON.
 *
 * @internal
 */
final class RecordReader
{
    /** Asks the server to mark its errors in a stream. A server that does so repeats the header. */
    public const MARKED_ERRORS = ['X-Generation-Errors' => 'marked'];

    /** The record separator begins the line of an error. JSON cannot contain it, so no record can imitate it. */
    private const MARK = "\x1e";
    private const MOST_RECORD_BYTES = 16_777_216;

    private int $received = 0;

    /** @param int $expected number of records that the server announced */
    public function __construct(
        private readonly Response $response,
        private readonly int $expected,
        private readonly ErrorReader $errors,
    ) {
    }

    /**
     * @return \Generator<int, array<string, mixed>>
     * @throws StreamInterruptedError if the stream ends early or contains anything else
     */
    public function records(): \Generator
    {
        $isMarked = $this->response->header('x-generation-errors') === 'marked';
        // An older server does not mark errors. Then a line that looks like an error is one only if no other follows.
        $held = null;
        try {
            foreach ($this->lines() as $line) {
                if (trim($line) === '') {
                    continue;
                }
                if ($line[0] === self::MARK) { // also if a proxy has removed the header
                    $error = $this->decoded(substr($line, 1));
                    throw $this->interrupted('the server reported an error', self::isError($error) ? $error : null);
                }
                if ($held !== null) {
                    ++$this->received;
                    yield $held;
                    $held = null;
                }
                $record = $this->record($line);
                if (!$isMarked && self::isError($record)) {
                    $held = $record;
                } else {
                    ++$this->received;
                    yield $record;
                }
            }
        } catch (TransportFailure $failure) {
            throw $this->interrupted($this->errors->clean($failure->getMessage()), $held);
        }
        if ($held !== null || $this->received < $this->expected) {
            throw $this->interrupted('the server ended the stream early', $held);
        }
    }

    /** @return \Generator<int, string> */
    private function lines(): \Generator
    {
        $rest = '';
        foreach ($this->response->chunks() as $chunk) {
            $rest .= $chunk;
            if (str_contains($chunk, "\n")) {
                $lines = explode("\n", $rest);
                $rest = array_pop($lines);
                foreach ($lines as $line) {
                    yield $line;
                }
            }
            if (\strlen($rest) > self::MOST_RECORD_BYTES) {
                throw $this->interrupted('a record has more than ' . self::MOST_RECORD_BYTES . ' bytes');
            }
        }
        yield $rest;
    }

    /** @return array<string, mixed> */
    private function record(string $line): array
    {
        if (\strlen($line) > self::MOST_RECORD_BYTES) {
            throw $this->interrupted('a record has more than ' . self::MOST_RECORD_BYTES . ' bytes');
        }
        if ($this->received >= $this->expected) {
            ++$this->received;
            throw $this->interrupted('the stream contains more records than announced');
        }

        return $this->decoded($line);
    }

    /** @return array<string, mixed> */
    private function decoded(string $line): array
    {
        try {
            $record = Json::decode($line);
        } catch (\JsonException) {
            throw $this->interrupted('a line of the stream is not JSON, or is cut');
        }
        if ($record instanceof \ArrayObject) {
            return [];
        }

        // PHP makes a list of an object with the keys "0", "1" and so on.
        return \is_array($record) && ltrim($line)[0] === '{' ? $record
            : throw $this->interrupted('a line of the stream is not an object');
    }

    /** @param array<string, mixed> $record */
    private static function isError(array $record): bool
    {
        return \count($record) === 1 && isset($record['error']['code'], $record['error']['message'])
            && \is_string($record['error']['code']) && \is_string($record['error']['message']);
    }

    /** @param array{error: array{code: string, message: string}}|null $line the error line of the server */
    private function interrupted(string $reason, ?array $line = null): StreamInterruptedError
    {
        $code = $line === null ? '' : $this->errors->clean($line['error']['code']);
        $text = $line === null ? $reason : "{$code}: " . $this->errors->clean($line['error']['message']);

        return new StreamInterruptedError(
            "generate: received {$this->received} of {$this->expected} records: {$text}",
            $this->received,
            $this->expected,
            $code,
        );
    }
}
