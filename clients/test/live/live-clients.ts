import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  copiedCustomers,
  CUSTOMERS,
  describeWith,
  LiveSystem,
  reasonToSkip,
  restoredCustomers,
  revertedStaging,
  storedJobs,
  untilRunning,
  WebhookReceiver,
  withLock,
} from '@understudy/testing';

import { readApi } from '../../../tools/repository/src/clients/read-api.js';
import { comparable } from './comparable.js';
import { createJobs, type CreatedJobs } from './create-jobs.js';
import { FAULT_POINTS, FaultProxy } from './fault-proxy.js';
import { StepPlayer, type Connection } from './play-steps.js';
import { EVERY_OPERATION } from './steps/every-operation.js';
import { firstOfEachLanguage, ROOT, type ClientVariant } from '../support/languages.js';
import { Player } from '../support/player.js';

const STEPS = Object.values(EVERY_OPERATION).flat();
const API = readApi(
  JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as Readonly<
    Record<string, unknown>
  >,
);
const OPERATIONS = new Map(API.operations.map(({ id, clientMethod }) => [clientMethod, id]));
const BROKEN_SHARE = 0.3;

/**
 * Defines the tests of clients with a real control plane and real agents. Before the tests, each client calls every
 * operation.
 * @param wanted the clients; those that cannot run on this machine are skipped
 * @param jobs the number of jobs that the first client of each language creates over broken connections
 */
export function describeLiveClients(wanted: readonly ClientVariant[], jobs: number): void {
  /** The clients that can run on this machine. */
  const variants = wanted.filter(({ toolchain }) => reasonToSkip(toolchain) === undefined);
  const names = variants.map(({ name }) => name);
  /** The first client of each language. */
  const languages = firstOfEachLanguage(variants).map(({ name }) => name);

  let system: LiveSystem;
  let receiver: WebhookReceiver;
  const players = new Map<string, Player>();
  const plays = new Map<string, StepPlayer>();

  const connectionOf = (name: string, base_url = system.baseUrl): Connection => ({
    base_url,
    token: system.of(name).token,
  });

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    system = await LiveSystem.start(names, { staging: true });
    for (const variant of variants) {
      const player = Player.start(variant);
      players.set(variant.name, player);
      plays.set(variant.name, new StepPlayer(player, connectionOf(variant.name), receiver));
    }
    const play = (part: keyof typeof EVERY_OPERATION) =>
      Promise.all([...plays.values()].map((one) => one.play(EVERY_OPERATION[part])));
    await play('withAgent');
    await withLock(system.shop, 'stock', async () => {
      await play('beforeLoss');
      const organizations = names.map((name) => system.of(name));
      await Promise.all(organizations.map(({ databases, id }) => untilRunning(databases, id, 'held')));
      await system.killAgents();
    });
    await play('afterLoss');
  });

  afterAll(async () => {
    await Promise.all([...players.values()].map((player) => player.stop()));
    await system?.stop();
    await receiver?.stop();
  });

  describe.each(names)('the client for %s, with a control plane and an agent', (name) => {
    it.each(STEPS.map((step) => [`${step.call} ${step.title}`, step] as const))('%s', (_title, step) => {
      const outcome = entry(plays, name).outcomes.get(step);
      expect(outcome).toEqual({ response: expect.anything() });
      const { response } = outcome as { response: { attempts?: readonly { operation: string }[] } };
      expect(response).toMatchObject(step.response);
      const operation = OPERATIONS.get(step.call);
      if (operation !== undefined)
        expect(response.attempts?.map((attempt) => attempt.operation)).toEqual([operation]);
    });

    it('[4.8/1] has called every operation and every iterator', () => {
      const methods = API.operations.flatMap(({ clientMethod, page }) =>
        page ? [clientMethod, clientMethod.replace('.list', '.iterate')] : [clientMethod],
      );
      const outcomes = [...entry(plays, name).outcomes];
      const called = new Set(
        outcomes.flatMap(([{ call }, outcome]) => ('response' in outcome ? [call] : [])),
      );
      expect(methods.length).toBeGreaterThan(50);
      expect(methods.filter((method) => !called.has(method))).toEqual([]);
    });

    it('[4.8/1] gets the same results as the other clients', () => {
      const [other = name] = names;
      const resultsOf = (client: string) =>
        [...entry(plays, client).outcomes]
          .filter(([{ inProgress }]) => !inProgress)
          .map(([{ call, title }, outcome]) => ({
            ...{ call, title },
            result: 'response' in outcome ? comparable(outcome.response.result ?? null, client) : outcome,
          }));
      expect(resultsOf(name)).toEqual(resultsOf(other));
    });

    it('has copied and restored the rows', async () => {
      const copied = await copiedCustomers(system.of(name).databases);
      expect(copied).toHaveLength(CUSTOMERS);
      for (const row of copied)
        expect(row).toMatchObject({
          name: `Customer ${String(row['id'])}`,
          email: expect.stringMatching(/^[0-9a-f-]{36}@example\.test$/),
        });
      expect(copied).toEqual(await copiedCustomers(system.of(names[0] ?? name).databases));
      const restored = await restoredCustomers(system.of(name).databases);
      expect(restored.map(({ email }) => email)).toEqual(
        Array.from({ length: CUSTOMERS }, (_, index) => `customer${index + 1}@mail.example`),
      );
    });

    it('has replaced a database by a masked copy, and brought it back', async () => {
      const { databases } = system.of(name);
      expect(await revertedStaging(databases)).toEqual({
        tables: ['before_the_job'],
        kept: await copiedCustomers(databases),
      });
    });
  });

  describe(`a proxy that breaks ${BROKEN_SHARE * 100} % of the connections`, () => {
    const proxies = new Map<string, FaultProxy>();
    const created = new Map<string, CreatedJobs>();
    const jobNames = Array.from({ length: jobs }, (_, index) => `job ${index + 1}`);

    beforeAll(async () => {
      for (const [index, name] of languages.entries())
        proxies.set(name, await FaultProxy.start(system.baseUrl, index + 1, BROKEN_SHARE));
      await Promise.all(
        languages.map(async (name) => {
          const connection = connectionOf(name, entry(proxies, name).url);
          created.set(name, await createJobs(entry(players, name), connection, jobNames));
        }),
      );
    });
    afterAll(() => Promise.all([...proxies.values()].map((proxy) => proxy.stop())));

    describe.each(languages)('between the client for %s and the control plane', (name) => {
      it('breaks them at every point, and the client repeats the attempts', () => {
        const { requests, broken } = entry(proxies, name);
        const counts = FAULT_POINTS.map((point) => broken[point]);
        expect(Math.min(...counts)).toBeGreaterThan(jobs / 50);
        const share = counts.reduce((one, two) => one + two) / requests;
        expect(Math.abs(share - BROKEN_SHARE)).toBeLessThan(1.6 / Math.sqrt(jobs)); // 0.05 for 1,000 jobs
        expect(entry(created, name).repeated).toBeGreaterThan(jobs / 10);
      });

      it('lets every call end with the job, or with an error that carries the idempotency key', () => {
        const { ids, errors, wrong } = entry(created, name);
        expect([ids.size, wrong]).toEqual([jobs, []]);
        expect(errors.map((error) => error['idempotency_key'])).not.toContain(undefined);
        // If an attempt arrives while the server still works on a broken one, the server responds with 409.
        const isTemporary = ({ status, retry_after: retryAfter }: (typeof errors)[number]) =>
          status === 409 && typeof retryAfter === 'number';
        expect(errors.filter((error) => error.class !== 'ConnectionError' && !isTemporary(error))).toEqual(
          [],
        );
        expect(errors.length).toBeGreaterThan(0);
      });

      it('causes no job to be missing or to be created twice', async () => {
        const { id, databases } = system.of(name);
        const { impossible, replacement, held, ...stored } = await storedJobs(databases, id);
        expect([impossible, replacement, held].map((one) => one?.length)).toEqual([2, 1, 1]); // one is repeated
        const ids = [...entry(created, name).ids];
        expect(stored).toEqual(Object.fromEntries(ids.map(([job, jobId]) => [job, [jobId]])));
        const client = connectionOf(name);
        const query = { status: 'pending', per_page: 100 };
        const listed = await entry(players, name).play({ call: 'jobs.iterate', client, query });
        const pending = (listed.result as { id: string }[]).map((job) => job.id);
        expect(pending.sort()).toEqual(ids.map(([, jobId]) => jobId).sort());
      });

      it('causes no job to be counted twice', async () => {
        const client = connectionOf(name);
        const { result } = await entry(players, name).play({ call: 'organization.get', client });
        const others = STEPS.filter(({ call }) => ['jobs.create', 'jobs.runAgain'].includes(call)).length;
        expect(result).toMatchObject({ usage: { sync_jobs: { used: jobs + others } } });
      });
    });
  });

  for (const { name, toolchain } of wanted)
    if (!names.includes(name))
      describeWith(`the client for ${name}`, toolchain, () => it.todo('uses every operation of the API'));
}

const entry = <T>(map: ReadonlyMap<string, T>, name: string): T => {
  const value = map.get(name);
  if (value === undefined) throw new Error(`expected an entry for ${name}`);
  return value;
};
