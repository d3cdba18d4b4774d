import { throttledProgress } from './progress-throttle.js';

it('passes on the first report of each phase, and then one per second', async () => {
  let now = 0;
  const sent: string[] = [];
  const report = throttledProgress<string, number>(
    { report: async ({ phase, counts }) => void sent.push(`${phase} ${counts}`) },
    () => now,
  );
  for (now = 0; now < 2_500; now += 100) await report('dumping', now);
  await report('finishing', now);
  await report('finishing', now + 1);
  expect(sent).toEqual(['dumping 0', 'dumping 1000', 'dumping 2000', 'finishing 2500']);
});
