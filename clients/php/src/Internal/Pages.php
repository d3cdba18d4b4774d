<?php

declare(strict_types=1);

namespace Understudy\Internal;

/** @internal */
final class Pages
{
    /**
     * Iterates over the items of all pages. Ends after a page that is empty, has fewer items than `per_page`, or
     * reaches `total`.
     *
     * @param \Closure(array<string, mixed>): object $list requests a page
     * @param string $items the name of the property that contains the items
     * @param array<string, mixed> $query the first page and the filters
     * @return \Generator<int, mixed>
     */
    public static function iterate(\Closure $list, string $items, array $query): \Generator
    {
        for ($number = $query['page'] ?? 1; ; ++$number) {
            $page = $list(['page' => $number] + $query);
            $found = $page->{$items};
            foreach ($found as $item) {
                yield $item;
            }
            $size = max(1, $page->per_page ?? \count($found));
            $reached = ($number - 1) * $size + \count($found);
            if (\count($found) < $size || $reached >= ($page->total ?? PHP_INT_MAX)) {
                return;
            }
        }
    }
}
