import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { INestMicroservice } from '@nestjs/common';
import { type Event, FailureCode } from '@understudy/agent-protocol/schema';
import { startTestServices, waitFor, type TestServices } from '@understudy/testing';

import { AgentConfiguration } from '../../src/config/agent-configuration.js';
import { AgentSnapshotStore } from '../../src/snapshots/agent-snapshot-store.js';
import { startAgent } from '../../src/start-agent.js';
import { TestControlPlane } from './link-control-plane.js';

// Uses a real nats-server and the agent's whole module with its store. The control plane and the content of the
// snapshots are simulated.
describe('an agent whose policy keeps snapshots for a day', () => {
  const state = mkdtempSync(join(tmpdir(), 'agent-'));
  let services: TestServices;
  let plane: TestControlPlane;
  let agent: INestMicroservice;
  let store: AgentSnapshotStore;
  beforeAll(async () => {
    services = await startTestServices({ nats: true });
    plane = await TestControlPlane.start(services);
    const policyFile = join(state, 'policy.yaml');
    writeFileSync(policyFile, 'snapshots: { min_age_hours: 24 }');
    agent = await startAgent(
      new AgentConfiguration({
        ...{ stateDir: state, policyFile, controlUrl: plane.url },
        ...{ enrolmentToken: 'one-time', logLevel: 'silent' },
      }),
      (error) => {
        throw error;
      },
    );
    store = agent.get(AgentSnapshotStore, { strict: false });
  });
  afterAll(async () => {
    await agent?.close();
    await plane?.stop();
    await services?.stop();
    rmSync(state, { recursive: true, force: true });
  });

  const keep = async (snapshotId: string, ageHours: number) => {
    const draft = await store.store.begin(`${snapshotId}-1`);
    await draft.write('toc.dat', Readable.from([Buffer.from('rows')]));
    const takenAtMs = Date.now() - ageHours * 3_600_000;
    await draft.finish({
      ...{ createdAt: new Date(0), expiresAt: new Date(0), database: 'd', serverVersion: '15', tables: [] },
      attributes: { format: '1', attributes: JSON.stringify({ takenAtMs }) },
    });
  };
  const resultOf = (deletionId: string): Promise<Event['event']> =>
    waitFor(`the result of ${deletionId}`, async () =>
      plane.events
        .map(({ event }) => event)
        .find(
          ({ case: kind, value }) =>
            (kind === 'snapshotDeleted' || kind === 'snapshotDeletionRefused') &&
            value.deletionId === deletionId,
        ),
    );
  const isStored = (snapshotId: string) =>
    readdirSync(join(state, 'snapshots'), { recursive: true }).some((path) =>
      String(path).includes(snapshotId),
    );

  it('refuses to delete a younger snapshot and reports when to retry', async () => {
    await keep('snap_young', 23);
    await plane.sendDeletion('del_young', 'snap_young', Buffer.from(store.id, 'hex'));
    const result = await resultOf('del_young');
    expect(result).toMatchObject({
      case: 'snapshotDeletionRefused',
      value: { code: FailureCode.SNAPSHOT_TOO_YOUNG },
    });
    const { retryAfterSeconds } = result.value as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
    expect(isStored('snap_young')).toBe(true);
  });

  it('deletes a snapshot that is old enough', async () => {
    await keep('snap_old', 25);
    await plane.sendDeletion('del_old', 'snap_old', Buffer.from(store.id, 'hex'));
    expect((await resultOf('del_old')).case).toBe('snapshotDeleted');
    expect(isStored('snap_old')).toBe(false);
  });
});
