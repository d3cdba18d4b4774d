import { forEachInOrder, mapInOrder } from './map-in-order.js';

async function* counting(to: number): AsyncGenerator<number> {
  for (let number = 0; number < to; number += 1) yield number;
}

describe('concurrent work on a sequence', () => {
  it('returns results in the order of the items, even if the calls end in another order', async () => {
    const ends: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const work = async (item: number): Promise<number> => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        if (ends.length === 3 || item === 7)
          ends
            .splice(0)
            .reverse()
            .forEach((end) => end());
      });
      running -= 1;
      return item * 2;
    };
    const results: number[] = [];
    for await (const result of mapInOrder(counting(8), 3, work)) results.push(result);
    expect(results).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
  });

  it('fails with the error of the first item that fails, and leaves no rejection unhandled', async () => {
    const work = (item: number): Promise<void> =>
      item >= 2 ? Promise.reject(new Error(`${item}`)) : Promise.resolve();
    await expect(forEachInOrder(counting(10), 4, work)).rejects.toThrow('2');
    await forEachInOrder(counting(2), 4, work);
  });
});
