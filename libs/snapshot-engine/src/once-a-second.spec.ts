import { OnceASecond } from './once-a-second.js';

it('lets the first of each phase through, and then one a second', async () => {
  let now = 0;
  const sent: string[] = [];
  const pacer = new OnceASecond<string, number>(
    async (phase, count) => void sent.push(`${phase} ${count}`),
    () => now,
  );
  for (now = 0; now < 2_500; now += 100) await pacer.tell('dumping', now);
  await pacer.tell('finishing', now);
  await pacer.tell('finishing', now + 1);
  expect(sent).toEqual(['dumping 0', 'dumping 1000', 'dumping 2000', 'finishing 2500']);
});
