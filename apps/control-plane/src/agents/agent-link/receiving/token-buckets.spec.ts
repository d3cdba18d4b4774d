import { TokenBuckets } from './token-buckets.js';

function bucketsAt(
  clock: { ms: number },
  limits: Partial<ConstructorParameters<typeof TokenBuckets>[0]> = {},
) {
  return new TokenBuckets({ perSecond: 2, burst: 4, maxKeys: 100, ...limits }, () => clock.ms);
}

it('allows a burst first and then as many calls as the rate allows', () => {
  const clock = { ms: 0 };
  const buckets = bucketsAt(clock);
  const taken = (times: number) =>
    Array.from({ length: times }, () => buckets.take('a')).filter(Boolean).length;
  expect(taken(10)).toBe(4);
  clock.ms += 1_000;
  expect(taken(10)).toBe(2);
  clock.ms += 60_000;
  expect(taken(10)).toBe(4);
});

it('refills a bucket that is used more often than it gains a token', () => {
  const clock = { ms: 0 };
  const buckets = bucketsAt(clock);
  let taken = 0;
  for (; clock.ms < 10_000; clock.ms += 1) taken += Number(buckets.take('a'));
  expect(taken).toBe(4 + 19);
});

it('limits two keys independently of each other', () => {
  const buckets = bucketsAt({ ms: 0 }, { burst: 1 });
  expect([buckets.take('a'), buckets.take('a'), buckets.take('b')]).toEqual([true, false, true]);
});

it('evicts the least recently used bucket if there are more than maxKeys', () => {
  const buckets = bucketsAt({ ms: 0 }, { burst: 1, maxKeys: 2 });
  for (const key of ['a', 'b', 'a', 'c']) buckets.take(key);
  expect(buckets.size).toBe(2);
  expect([buckets.take('a'), buckets.take('c')]).toEqual([false, false]);
});
