import { describeUnless, NetworkNamespace } from '@understudy/testing';

import { LINK_FAULTS } from '../src/network/link-faults.js';
import { roundsTable } from '../src/network/network-report.js';
import { NetworkSystem } from '../src/network/network-system.js';
import {
  networkReference,
  runNetworkRound,
  type NetworkReference,
} from '../src/network/run-network-round.js';

jest.setTimeout(180_000); // builds two networks and waits until a cut link is noticed

it('gives each row of the link faults its own name, by which it can be selected', () => {
  const names = LINK_FAULTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

/** Runs rows with shortened disturbances. `npm run faults -- --network` runs all rows and judges their times. */
describeUnless(NetworkNamespace.whyNotPossible())('a job whose link is disturbed', () => {
  let system: NetworkSystem;
  let reference: NetworkReference;

  beforeAll(async () => {
    system = await NetworkSystem.open();
    reference = await networkReference(system);
  });
  afterAll(() => system?.close());

  it.each([
    ['5 min link down, from the switch', 0.01],
    ['control plane killed, started after 20 s', 0.1],
  ])('completes once and keeps its rows: %s, all times × %d', async (name, times) => {
    const fault = LINK_FAULTS.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`no row has the name ${name}`);
    const round = await runNetworkRound(system, fault, times, reference);
    const aboutTimes = /go on within/; // only the tool judges times
    expect(round.wrong.filter((problem) => !aboutTimes.test(problem))).toEqual([]);
    expect([round.status, round.attempts, round.rows_kept]).toEqual(['completed', 1, 'all']);
    expect(roundsTable([round])).toContain(`| ${name} (all times × ${times}) |`);
  });
});
