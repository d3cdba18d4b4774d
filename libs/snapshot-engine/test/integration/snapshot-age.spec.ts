import { Readable } from 'node:stream';
import { type KEY, SnapshotHarness } from './snapshot-harness.js';

const HOUR_MS = 3_600_000;

describe('a policy with a minimum age of snapshots', () => {
  let harness: SnapshotHarness;
  let url: string;
  beforeAll(async () => {
    harness = await SnapshotHarness.start();
    ({ url } = await harness.database('CREATE TABLE t (id int); INSERT INTO t VALUES (1)'));
  });
  afterAll(() => harness.stop());

  const startMs = Date.now();
  const at = (hours: number, key?: typeof KEY) =>
    harness.runner({
      policy: { ...harness.environment().policy, minSnapshotAgeMs: 24 * HOUR_MS },
      now: () => startMs + hours * HOUR_MS,
      ...(key === undefined ? {} : { store: harness.store(key) }),
    });
  const make = async () => {
    const command = harness.creation(url);
    const made = await harness.create(command, { now: () => startMs });
    expect(made.failure).toBeUndefined();
    return command.snapshotId;
  };
  const isStored = async (snapshotId: string) => {
    for await (const id of harness.store().ids(`${snapshotId}-`)) if (id !== '') return true;
    return false;
  };

  it('keeps a younger snapshot, and reports for how long', async () => {
    const snapshotId = await make();
    expect(await at(23).delete({ snapshotId, beforeEpoch: 0 })).toBe(HOUR_MS);
    expect(await isStored(snapshotId)).toBe(true);
    expect(await at(24).delete({ snapshotId, beforeEpoch: 0 })).toBe(0);
    expect(await isStored(snapshotId)).toBe(false);
  });

  it('uses the clock of the agent that took the snapshot, not the times of the control plane', async () => {
    const command = { ...harness.creation(url), acceptedAt: new Date(startMs - 1_000 * HOUR_MS) };
    await harness.create(command, { now: () => startMs });
    expect(await at(1).delete({ snapshotId: command.snapshotId, beforeEpoch: 0 })).toBe(23 * HOUR_MS);
  });

  it('also keeps attempts whose epoch is below the beforeEpoch of the command', async () => {
    const snapshotId = await make();
    expect(await at(1).delete({ snapshotId, beforeEpoch: 9 })).toBe(23 * HOUR_MS);
    expect(await isStored(snapshotId)).toBe(true);
  });

  it('keeps no snapshot for longer than the minimum age, even if the clock was turned back', async () => {
    const snapshotId = await make();
    expect(await at(-1_000).delete({ snapshotId, beforeEpoch: 0 })).toBe(24 * HOUR_MS);
  });

  it('keeps a snapshot whose key is missing', async () => {
    const snapshotId = await make();
    const stranger = at(1_000, new Uint8Array(32).fill(9));
    expect(await stranger.delete({ snapshotId, beforeEpoch: 0 })).toBe(24 * HOUR_MS);
    expect(await isStored(snapshotId)).toBe(true);
  });

  it('allows the deletion of unfinished snapshots', async () => {
    const { snapshotId } = harness.creation(url);
    const draft = await harness.store().begin(`${snapshotId}-1`);
    await draft.write('toc.dat', Readable.from([Buffer.from('rows')]));
    expect(await isStored(snapshotId)).toBe(true);
    expect(await at(0).delete({ snapshotId, beforeEpoch: 0 })).toBe(0);
    expect(await isStored(snapshotId)).toBe(false);
  });
});
