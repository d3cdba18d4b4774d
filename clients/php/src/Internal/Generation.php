<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\CallOptions;
use Understudy\Generated\Operations;
use Understudy\Http\Response;
use Understudy\RecordStream;
use Understudy\UnderstudyError;

/**
 * Carries out the operation `generate`, whose response is a stream.
 *
 * @internal
 */
final class Generation
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * @param array<string, mixed> $schema
     * @throws UnderstudyError
     */
    public function records(
        array $schema,
        int $count,
        ?int $seed,
        string|\DateTimeInterface|null $now,
        ?CallOptions $options,
    ): RecordStream {
        $body = self::body($schema, $count, $seed, $now, 'ndjson');
        $response = $this->caller->stream($body, 'application/x-ndjson', $options ?? new CallOptions());
        $expected = $this->expected($response);
        $seedText = $response->header('x-generation-seed') ?? '';

        return new RecordStream(
            (new RecordReader($response, $expected, $this->caller->errors))->records(),
            $expected,
            preg_match('/^-?\d{1,18}$/D', $seedText) === 1 ? (int) $seedText : null,
            $response->header('x-generation-now'),
            $response->header('x-generation-engine-version'),
            self::warnings($response),
        );
    }

    /**
     * @param array<string, mixed> $schema
     * @param string|resource|null $to
     * @return string|null the bytes, or null if they were written to `$to`
     * @throws UnderstudyError
     */
    public function csv(
        array $schema,
        int $count,
        mixed $to,
        ?int $seed,
        string|\DateTimeInterface|null $now,
        ?CallOptions $options,
    ): ?string {
        $produce = function (\Closure $write) use ($schema, $count, $seed, $now, $options): void {
            $body = self::body($schema, $count, $seed, $now, 'csv');
            $response = $this->caller->stream($body, 'text/csv', $options ?? new CallOptions());
            (new CsvReader($response, $this->expected($response), $this->caller->errors))->copy($write);
        };
        if ($to !== null) {
            CsvFile::write($to, $produce);

            return null;
        }
        $bytes = '';
        $produce(static function (string $chunk) use (&$bytes): void {
            $bytes .= $chunk;
        });

        return $bytes;
    }

    /**
     * @param array<string, mixed> $schema
     * @return array<string, mixed>
     */
    private static function body(
        array $schema,
        int $count,
        ?int $seed,
        string|\DateTimeInterface|null $now,
        string $format,
    ): array {
        if ($now instanceof \DateTimeInterface) {
            $utc = \DateTimeImmutable::createFromInterface($now)->setTimezone(new \DateTimeZone('UTC'));
            $now = $utc->format('Y-m-d\TH:i:s.v\Z');
        }
        $options = array_filter(['seed' => $seed, 'now' => $now], static fn (mixed $value) => $value !== null);

        return ['schema' => $schema, 'count' => $count, 'format' => $format] + $options;
    }

    private function expected(Response $response): int
    {
        $count = $response->header('x-generation-count') ?? '';
        if (preg_match('/^\d{1,18}$/D', $count) !== 1) {
            throw $this->caller->errors->unexpected(
                Operations::get('generate'),
                $response,
                null,
                'expected the number of records in the header X-Generation-Count. Check the proxies before the server',
            );
        }

        return (int) $count;
    }

    /** @return list<array{field: string, message: string}> */
    private static function warnings(Response $response): array
    {
        $warnings = json_decode($response->header('x-generation-warning-details') ?? '', true);
        $isWarning = static fn (mixed $warning): bool => \is_array($warning)
            && \is_string($warning['field'] ?? null) && \is_string($warning['message'] ?? null);

        return \is_array($warnings) ? array_values(array_filter($warnings, $isWarning)) : [];
    }
}
