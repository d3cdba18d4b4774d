import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { METHOD_NAMES } from '../../tools/repository/src/clients/method-names.js';
import { readApi } from '../../tools/repository/src/clients/read-api.js';
import { comparable } from './live/comparable.js';
import { createJobs, type CreatedJobs } from './live/create-jobs.js';
import { FaultProxy, FAULT_POINTS } from './live/fault-proxy.js';
import { CUSTOMERS, LiveSystem } from './live/live-system.js';
import { StepPlayer } from './live/play-steps.js';
import { EVERY_OPERATION } from './live/steps/every-operation.js';
import { WebhookReceiver } from './live/webhook-receiver.js';
import { describeWith, reasonToSkip, ROOT, VARIANTS } from './support/languages.js';
import { Player } from './support/player.js';

const STEPS = Object.values(EVERY_OPERATION).flat();
const OPERATIONS = new Map(Object.entries(METHOD_NAMES).map(([id, name]) => [name, id]));
const JOBS = 1_000;
const BROKEN_SHARE = 0.3;

/** The languages whose client exists. */
const HAS_PLAYER = ['typescript', 'python', 'php', 'go'].filter((language) =>
  ['test', 'tests', 'internal'].some((folder) => existsSync(join(ROOT, 'clients', language, folder))),
);

/** The clients that can run on this machine. */
const variants = VARIANTS.filter(
  ({ language, toolchain }) => HAS_PLAYER.includes(language) && reasonToSkip(toolchain) === undefined,
);
const names = variants.map(({ name }) => name);
/** One client in each language. */
const first = variants.filter(
  ({ language }, index) => variants.findIndex((other) => other.language === language) === index,
);

let system: LiveSystem;
let receiver: WebhookReceiver;
const players = new Map<string, Player>();
const plays = new Map<string, StepPlayer>();
const connectionOf = (name: string, base_url = system.baseUrl) => ({
  base_url,
  token: system.of(name).token,
});
const found = <T>(map: ReadonlyMap<string, T>, name: string): T => {
  const value = map.get(name);
  if (value === undefined) throw new Error(`expected an entry for ${name}`);
  return value;
};

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  system = await LiveSystem.start(names);
  for (const variant of variants) {
    const player = Player.start(variant);
    players.set(variant.name, player);
    plays.set(variant.name, new StepPlayer(player, connectionOf(variant.name), receiver));
  }
  const playAll = (part: keyof typeof EVERY_OPERATION) =>
    Promise.all([...plays.values()].map((play) => play.play(EVERY_OPERATION[part])));
  await playAll('withAgent');
  const unlock = await system.lockSource('stock');
  await playAll('beforeLoss');
  await Promise.all(names.map((name) => system.untilRunning(name, 'held')));
  await system.killAgents();
  await unlock();
  await playAll('afterLoss');
});

afterAll(async () => {
  await Promise.all([...players.values()].map((player) => player.stop()));
  await system?.stop();
  await receiver?.stop();
});

describe.each(names)('the client for %s, with a control plane and an agent', (name) => {
  it.each(STEPS.map((step) => [`${step.call} ${step.title}`, step] as const))('%s', (_title, step) => {
    const outcome = found(plays, name).outcomes.get(step);
    expect(outcome).toEqual({ response: expect.anything() });
    const { response } = outcome as { response: { attempts?: readonly { operation: string }[] } };
    expect(response).toMatchObject(step.response);
    const operation = OPERATIONS.get(step.call);
    if (operation === undefined) return;
    expect(response.attempts?.map((attempt) => attempt.operation)).toEqual([operation]);
  });

  it('has called every operation and every iterator', () => {
    const document = JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as object;
    const methods = readApi(document as Readonly<Record<string, unknown>>).operations.flatMap(
      ({ id, page }) => {
        const method = METHOD_NAMES[id] ?? id;
        return page ? [method, method.replace('.list', '.iterate')] : [method];
      },
    );
    const called = new Set(
      [...found(plays, name).outcomes].flatMap(([{ call }, outcome]) =>
        'response' in outcome ? [call] : [],
      ),
    );
    expect(methods.length).toBeGreaterThan(50);
    expect(methods.filter((method) => !called.has(method))).toEqual([]);
  });

  it('gets the same results as the other clients', () => {
    const [other = name] = names;
    const resultsOf = (client: string) =>
      [...found(plays, client).outcomes].map(([{ call, title }, outcome]) => ({
        ...{ call, title },
        result: 'response' in outcome ? comparable(outcome.response.result ?? null, client) : outcome,
      }));
    expect(resultsOf(name)).toEqual(resultsOf(other));
  });

  it('has copied and restored the rows', async () => {
    const { copy, review } = await system.customersOf(name);
    expect(copy).toHaveLength(CUSTOMERS);
    for (const row of copy)
      expect(row).toMatchObject({
        name: `Customer ${String(row['id'])}`,
        email: expect.stringMatching(/^[0-9a-f-]{36}@example\.test$/),
      });
    expect(copy).toEqual((await system.customersOf(names[0] ?? name)).copy);
    expect(review.map(({ email }) => email)).toEqual(
      Array.from({ length: CUSTOMERS }, (_, index) => `customer${index + 1}@mail.example`),
    );
  });
});

describe(`the clients, through a proxy that breaks ${BROKEN_SHARE * 100} % of the connections`, () => {
  const proxies = new Map<string, FaultProxy>();
  const created = new Map<string, CreatedJobs>();
  const wanted = Array.from({ length: JOBS }, (_, index) => `job ${index + 1}`);

  beforeAll(async () => {
    for (const [index, { name }] of first.entries())
      proxies.set(name, await FaultProxy.start(system.baseUrl, index + 1, BROKEN_SHARE));
    await Promise.all(
      first.map(async ({ name }) => {
        const connection = connectionOf(name, found(proxies, name).url);
        created.set(name, await createJobs(found(players, name), connection, wanted));
      }),
    );
  });
  afterAll(() => Promise.all([...proxies.values()].map((proxy) => proxy.stop())));

  describe.each(first.map(({ name }) => name))('in %s', (name) => {
    it('meet a fault at every point', () => {
      const { requests, broken } = found(proxies, name);
      const counts = FAULT_POINTS.map((point) => broken[point]);
      expect(Math.min(...counts)).toBeGreaterThan(JOBS / 25);
      expect(counts.reduce((one, two) => one + two) / requests).toBeCloseTo(BROKEN_SHARE, 1);
      expect(found(created, name).repeated).toBeGreaterThan(JOBS / 4);
    });

    it('end every call with the job or with an error that carries the idempotency key', () => {
      const { ids, errors, wrong } = found(created, name);
      expect([ids.size, wrong]).toEqual([JOBS, []]);
      expect(errors.length).toBeGreaterThan(0);
      // A request whose connection is broken can still run when the last attempt arrives.
      for (const error of errors)
        expect(
          error.class === 'ConnectionError' || (error['status'] === 409 && error['retry_after'] !== null),
        ).toBe(true);
    });

    it('create every job once', async () => {
      const stored = await system.storedJobs(name);
      for (const other of ['impossible', 'held']) stored.delete(other);
      expect(Object.fromEntries(stored)).toEqual(
        Object.fromEntries([...found(created, name).ids].map(([job, id]) => [job, [id]])),
      );
      expect(stored.size).toBe(JOBS);
      const listed = await found(players, name).play({
        call: 'jobs.iterate',
        client: connectionOf(name),
        query: { status: 'pending', per_page: 100 },
      });
      const ids = (listed.result as { id: string }[]).map(({ id }) => id);
      expect(ids.sort()).toEqual([...found(created, name).ids.values()].sort());
    });
  });
});

for (const { name, toolchain } of VARIANTS)
  if (reasonToSkip(toolchain) !== undefined)
    describeWith(`the client for ${name}`, toolchain, () => it.todo('uses every operation of the API'));
