import { FIXED_CHANGES, nameOf, TargetHistory } from '../src/history/run-history.js';
import { TestSystem } from '../src/system/test-system.js';

jest.setTimeout(300_000); // a change can need a job before it, and waits at most two minutes for its end

describe('a target that jobs, restores and reverts replace', () => {
  let system: TestSystem;
  let history: TargetHistory;

  beforeAll(async () => {
    system = await TestSystem.open(() => undefined);
    history = await TargetHistory.open(system);
  });

  afterAll(() => system.close());

  const title = 'has the content of one change, one kept database, and every committed row';
  for (const planned of FIXED_CHANGES)
    it(`${title}: ${nameOf(planned)}`, async () => {
      const round = await history.run(planned);
      expect(round.wrong).toEqual([]);
    });
});
