import { Workbench } from './run-cli.js';

const ALGORITHMS = [
  'uuid_v4',
  'uuid_v7',
  'ulid',
  'nanoid',
  'int_between',
  'float_between',
  'boolean',
  'datetime_between',
  'date_between',
  'time_between',
  'timestamp',
  'sequence',
  'gaussian',
  'exponential',
  'digits',
];

describe('understudy generate', () => {
  const bench = new Workbench();
  afterAll(() => bench.remove());

  it('[2.9.2/1] gives the same values for every algorithm in any locale and time zone of the machine', async () => {
    const generators = Object.fromEntries(
      ALGORITHMS.map((algorithm) => [algorithm, { type: 'svc', algorithm }]),
    );
    bench.write('all.json', JSON.stringify({ generators, output: ALGORITHMS }));
    const args = ['generate', 'all.json', '--count', '20', '--seed', '7', '--now', '2026-01-01'];
    const [tokyo, newYork] = await Promise.all([
      bench.run(args, '', { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', TZ: 'Asia/Tokyo' }),
      bench.run(args, '', { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'America/New_York' }),
    ]);
    expect([tokyo?.code, JSON.parse(tokyo?.out ?? '')]).toEqual([0, expect.any(Array)]);
    expect(newYork?.out).toBe(tokyo?.out);
  });
});
