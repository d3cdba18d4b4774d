/**
 * Maps with up to `ahead` calls under way, and gives the results in the order of the items. A consumer that stops early waits for none of them.
 * @throws what the items or the first failing call in their order throw
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  ahead: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = map(item);
    result.catch(() => undefined); // it is thrown when its turn comes; until then it is not an unhandled one
    underWay.push(result);
    if (underWay.length >= ahead) yield await (underWay.shift() as Promise<Result>);
  }
  for (const result of underWay) yield await result;
}

/** Does something with each, up to `atOnce` at a time. @throws what the items or the first failing call in their order throw */
export async function forEachInOrder<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const done = mapInOrder(items, atOnce, work);
  while (!(await done.next()).done) continue;
}
