import { ProgressThrottle } from './progress-throttle.js';

it('passes on the first report of each phase, and then one per second', async () => {
  let now = 0;
  const sent: string[] = [];
  const throttle = new ProgressThrottle<string, number>(
    async (phase, count) => void sent.push(`${phase} ${count}`),
    () => now,
  );
  for (now = 0; now < 2_500; now += 100) await throttle.report('dumping', now);
  await throttle.report('finishing', now);
  await throttle.report('finishing', now + 1);
  expect(sent).toEqual(['dumping 0', 'dumping 1000', 'dumping 2000', 'finishing 2500']);
});
