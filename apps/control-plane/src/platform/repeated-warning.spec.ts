import fc from 'fast-check';

import { RepeatedWarning } from './repeated-warning.js';

const MINUTE = 60_000;

it('logs each text at first, and at most once a minute', () => {
  const step = fc.record({
    text: fc.constantFrom('a', 'b', 'c'),
    afterMs: fc.integer({ min: 0, max: MINUTE }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let now = 0;
      const logged: { text: string; at: number }[] = [];
      const warning = new RepeatedWarning(
        { warn: (text: string) => logged.push({ text, at: now }) },
        () => now,
      );
      for (const { text, afterMs } of steps) {
        now += afterMs;
        warning.warn(text);
        const times = logged.filter((each) => each.text === text).map(({ at }) => at);
        const [last = -Infinity, before = -Infinity] = times.toReversed();
        expect([now - last < MINUTE, last - before >= MINUTE]).toEqual([true, true]);
      }
    }),
  );
});

it('keeps few texts in memory', () => {
  const warning = new RepeatedWarning({ warn: () => undefined }, () => 0);
  for (let text = 0; text < 1_000; text++) warning.warn(String(text));
  expect(Reflect.get(warning, 'loggedAt')).toHaveProperty('size', 100);
});
