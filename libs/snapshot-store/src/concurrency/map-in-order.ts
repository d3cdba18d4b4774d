/**
 * Maps items with up to `ahead` concurrent calls, and yields the results in the order of the items. If the
 * consumer stops early, the running calls continue, and nothing waits for them.
 * @throws the error of the iterable, or of the first item whose call fails
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  ahead: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = map(item);
    result.catch(() => undefined); // the rejection is thrown in the order of the items, and must not count as unhandled before that
    underWay.push(result);
    if (underWay.length >= ahead) yield await (underWay.shift() as Promise<Result>);
  }
  for (const result of underWay) yield await result;
}

/**
 * Calls `work` with each item, up to `atOnce` calls concurrently.
 * @throws the error of the iterable, or of the first item whose call fails
 */
export async function forEachInOrder<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const done = mapInOrder(items, atOnce, work);
  while (!(await done.next()).done) continue;
}
