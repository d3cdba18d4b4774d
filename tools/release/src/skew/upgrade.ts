import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Understudy, type WebhookWithSecret } from '@understudy/client';
import {
  BUILT_PROGRAMS,
  LiveSystem,
  untilRunning,
  waitFor,
  WebhookReceiver,
  withLock,
} from '@understudy/testing';

import { run } from '../run-program.js';
import { clientPlayers, useClient } from './client-players.js';
import {
  checkCopy,
  copySnapshotRestore,
  fillOrganization,
  maskedCopy,
  restore,
} from './fill-organization.js';
import { lostFields } from './lost-fields.js';
import type { PreviousRelease } from './previous-release.js';
import { readEverything } from './read-everything.js';
import type { Steps } from '../steps.js';

const NAME = 'skew';
const NAMES = ['Anna', 'Anton', 'Berta', 'Bernd', 'Carla', 'Clara', 'Dora', 'Doris', 'Emil', 'Emma'];
/** Fields that change while the system runs: times of contact, and the number of requests. */
const MOVING = ['last_seen_at', 'last_used_at', 'last_heard_at', 'held_until', 'api_calls'];
/** Parts of the stored data of a job that describe the messages of a release. */
const DESCRIPTIONS = ['messages', 'enums'];
/** Finds sessions of the agent that wait for the locked table. */
const WAITING = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'stock'::regclass";

/** A system in the middle of its upgrade. */
interface Upgrade {
  readonly system: LiveSystem;
  readonly client: Understudy;
  readonly receiver: WebhookReceiver;
  readonly webhook: WebhookWithSecret;
}

/** Upgrades a filled system while a job runs: a replica first, then the other control plane, and then the agent. */
export async function upgrade(previous: PreviousRelease, steps: Steps): Promise<void> {
  const { source, programs } = previous;
  const folder = mkdtempSync(join(tmpdir(), 'understudy-skew-'));
  const receiver = await WebhookReceiver.start();
  let system: LiveSystem | undefined;
  try {
    system = await steps.need('old control plane and old agent start', () =>
      LiveSystem.start([NAME], { programs }),
    );
    const client = clientOf(system, NAME);
    const { databases } = system.of(NAME);
    const webhook = await steps.need('old API: an object of each kind is stored', async () => {
      const model = await trainModel(previous, folder);
      return fillOrganization(client, databases, { model, receiver: receiver.url });
    });
    const running = { system, client, receiver, webhook };
    const job = await withRunningJob(running, steps, (id) => upgradeControlPlane(running, id, steps));
    await steps.check('the job that was running completes in its first attempt', async () => {
      const ended = await client.jobs.wait(job);
      await checkCopy(ended, databases);
      if (ended.attempts !== 1) throw new Error(`expected one attempt, got ${ended.attempts}`);
    });
    await steps.check('old agent, upgraded control plane: a masked job, a snapshot and its restore', () =>
      copySnapshotRestore(client, databases, 'old agent'),
    );
    await useOldClients(running, { source, folder }, steps);
    await upgradeAgent(running, steps);
  } finally {
    await system?.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the path of a model that the previous release has trained */
async function trainModel({ programs, commandLine }: PreviousRelease, folder: string): Promise<string> {
  const model = join(folder, 'names.ngram');
  writeFileSync(join(folder, 'names.txt'), NAMES.join('\n'));
  const options = ['--originals', 'none', '--out', model];
  await run(programs.node, [commandLine, 'train', join(folder, 'names.txt'), ...options]);
  return model;
}

/** @returns a client of this checkout that repeats no request */
export function clientOf(system: LiveSystem, name: string, baseUrl = system.baseUrl): Understudy {
  return new Understudy({ baseUrl, token: system.of(name).token, maxRetries: 0 });
}

/** Does work while an agent cannot read a table that its job copies. @returns the id of the job */
async function withRunningJob(
  { system, client }: Upgrade,
  steps: Steps,
  work: (job: string) => Promise<void>,
): Promise<string> {
  const { databases, id: organization } = system.of(NAME);
  let job = '';
  await withLock(databases.shop, 'stock', async () => {
    job = await steps.need('old API: a job runs', async () => {
      const { id } = await client.jobs.create(maskedCopy('running'));
      await untilRunning(databases, organization, 'running');
      await waitFor('the lock of a table', async () => (await databases.shop.query(WAITING)).rows.length > 0);
      return id;
    });
    await work(job);
  });
  return job;
}

/** Migrates the database and adds a new control plane beside the old one, and then replaces the old one. */
async function upgradeControlPlane(
  { system, client, receiver }: Upgrade,
  job: string,
  steps: Steps,
): Promise<void> {
  const { token } = system.of(NAME);
  const old = { baseUrl: system.baseUrl, token };
  const description = (await client.apiDescription()) as Readonly<Record<string, unknown>>;
  const before = await steps.need('old API: everything can be read', () => readEverything(old, description));
  const progress = ['', '/tables', '/stored-data'].map((end) => `/sync/jobs/${job}${end}`);
  const moving = new Set([...MOVING, ...DESCRIPTIONS, job, ...progress]);
  const compare = async (baseUrl: string): Promise<void> => {
    const after = await readEverything({ baseUrl, token }, description);
    const lost = lostFields(Object.fromEntries(before), Object.fromEntries(after), moving);
    if (lost.length > 0)
      throw new Error(
        `expected the answers from before, got ${lost.length} others: ${lost.slice(0, 9).join('; ')}`,
      );
  };

  const stopRequests = sendRequests(client);
  const replica = await steps.need('the database is migrated, and a new control plane starts', () =>
    system.addReplica(BUILT_PROGRAMS),
  );
  await steps.check('the old control plane has answered every request since', stopRequests);
  await steps.check('the new control plane returns all that was stored', () => compare(replica));
  await steps.check('the old control plane returns all that was stored', () => compare(old.baseUrl));
  await steps.check('each control plane reads what the other one writes', async () => {
    const other = clientOf(system, NAME, replica);
    for (const [writer, reader] of [[client, other] as const, [other, client] as const]) {
      const { id } = await writer.webhooks.create({ url: receiver.url, events: ['sync.failed'] });
      await reader.webhooks.get(id);
      await reader.webhooks.delete(id);
    }
  });
  await steps.need('a new control plane replaces the old one', () =>
    system.replaceControlPlane(BUILT_PROGRAMS),
  );
  await steps.check('it returns all that was stored', () => compare(old.baseUrl));
}

/**
 * Reads, writes and generates records with one request after the other.
 * @returns a function that ends this. It throws the error of the first request that failed
 */
function sendRequests(client: Understudy): () => Promise<void> {
  let isOver = false;
  const requests = async (): Promise<void> => {
    while (!isOver) {
      await client.jobs.list();
      await client.generate({ generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] }, 1);
      const { id } = await client.tokens.create({ name: 'short', role: 'viewer' });
      await client.tokens.revoke(id);
    }
  };
  const running = requests();
  running.catch(() => undefined); // the returned function reports it
  return () => {
    isOver = true;
    return running;
  };
}

/** Uses the clients of the previous release, in each language that this machine has. */
async function useOldClients(
  { system, client, receiver, webhook }: Upgrade,
  { source, folder }: { readonly source: string; readonly folder: string },
  steps: Steps,
): Promise<void> {
  const api = { baseUrl: system.baseUrl, token: system.of(NAME).token };
  const { event_id: id, event } = await client.webhooks.test(webhook.id);
  const signed = { received: await receiver.event(id), event, secret: webhook.secret };
  for (const { language, command } of clientPlayers(source, folder)) {
    const step = `old client for ${language}: lists, records, a job and a webhook`;
    if (command === undefined) steps.skip(step, `${language} is not installed`);
    else await steps.check(step, () => useClient(command, source, api, maskedCopy(language), signed));
  }
}

/** Replaces the agent, which keeps its files, and uses a snapshot of the old one. */
async function upgradeAgent({ system, client }: Upgrade, steps: Steps): Promise<void> {
  const { databases } = system.of(NAME);
  await steps.need('a new agent replaces the old one', () => system.replaceAgent(NAME, BUILT_PROGRAMS));
  await steps.check('the new agent restores a snapshot of the old one', async () => {
    const { snapshots } = await client.snapshots.list({ name: 'first' });
    await restore(client, databases, snapshots[0]?.id ?? 'missing');
  });
  await steps.check('upgraded agent and control plane: a masked job, a snapshot and its restore', () =>
    copySnapshotRestore(client, databases, 'new agent'),
  );
}
