import { runEach } from './run-each.js';

it('runs every step even if some fail, and throws the first failure at the end', async () => {
  const ran: number[] = [];
  const run = runEach([1, 2, 3, 4, 5], async (thing) => {
    await Promise.resolve();
    ran.push(thing);
    if (thing % 2 === 0) throw new Error(`failed at ${thing}`);
  });
  await expect(run).rejects.toThrow('failed at 2');
  expect(ran).toEqual([1, 2, 3, 4, 5]);
});

it('runs every step even if one throws before it returns a promise', async () => {
  const ran: number[] = [];
  const run = runEach([1, 2], (thing) => {
    ran.push(thing);
    throw new Error(`failed at ${thing}`);
  });
  await expect(run).rejects.toThrow('failed at 1');
  expect(ran).toEqual([1, 2]);
});

it('runs at most the given number of steps concurrently, and continues while one of them hangs', async () => {
  let running = 0;
  let most = 0;
  let release: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const things = Array.from({ length: 20 }, (_, index) => index);
  await runEach(
    things,
    async (thing) => {
      most = Math.max(most, ++running);
      if (thing === 0) await hanging;
      else await Promise.resolve();
      running -= 1;
      if (thing === 19) release();
    },
    3,
  );
  expect([most, running]).toEqual([3, 0]);
});
