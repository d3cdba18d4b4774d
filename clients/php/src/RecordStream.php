<?php

declare(strict_types=1);

namespace Understudy;

/**
 * The records of `generateStream`, in constant memory, with their metadata. You can iterate over it once. If you stop
 * early, the connection closes.
 *
 * @implements \IteratorAggregate<int, array<string, mixed>>
 */
final class RecordStream implements \IteratorAggregate
{
    /**
     * @internal
     * @param \Generator<int, array<string, mixed>>|null $records
     * @param int $count number of records that the server announced
     * @param int|null $seed the seed from the request, or the one that the server chose
     * @param string|null $now the time to which relative dates refer
     * @param string|null $engineVersion the same version, schema and seed give the same records
     * @param list<array{field: string, message: string}> $warnings the first warnings that fit into 4 KiB
     */
    public function __construct(
        private ?\Generator $records,
        public readonly int $count,
        public readonly ?int $seed,
        public readonly ?string $now,
        public readonly ?string $engineVersion,
        public readonly array $warnings,
    ) {
    }

    /**
     * @return \Generator<int, array<string, mixed>> it throws a `StreamInterruptedError` if records are missing
     */
    public function getIterator(): \Generator
    {
        $records = $this->records ?? throw new \LogicException(
            'expected one iteration over the records, because they are not kept. Call generateStream again.',
        );
        // The loop of the caller has the only reference, so that the connection closes when the loop ends.
        $this->records = null;

        return $records;
    }
}
