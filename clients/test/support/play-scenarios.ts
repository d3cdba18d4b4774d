import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeWith, TestAuthority } from '@understudy/testing';

import { FaultServer } from './fault-server.js';
import { firstOfEachLanguage, ROOT, VARIANTS, type ClientVariant } from './languages.js';
import { mismatches } from './mismatches.js';
import { Player, type PlayerResponse } from './player.js';
import { filled, readScenarios, type Expectation, type Step } from './scenario.js';

/** The token of all scenarios. No output of a client may contain it. */
const TOKEN = 'ust_9fK2-scenario-token-xW7Q';
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** A body with all fields that a sync job needs. */
const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: [
    { name: 'customers', columns: { email: { generator: 'template', pattern: 'user-{{uuid}}' }, note: {} } },
  ],
  unlisted_columns: 'preserve',
  seed: 42,
};
/** The methods that send no token. */
const PUBLIC_CALLS: ReadonlySet<string> = new Set(['members.acceptInvitation', 'apiDescription']);

/** Topics for which all clients of a language run the same code. */
const SHARED_TOPICS: ReadonlySet<string> = new Set(['configuration', 'retry-after', 'webhooks']);
const FIRST = firstOfEachLanguage(VARIANTS);

/**
 * Defines tests for the clients of a language. The first client plays all scenarios. The others play those for which
 * they have code of their own.
 */
export function playScenarios(language: ClientVariant['language']): void {
  for (const variant of VARIANTS.filter((each) => each.language === language))
    playTopics(variant, (topic) => FIRST.includes(variant) || !SHARED_TOPICS.has(topic));
}

/** Defines tests in which all clients but the first one of each language play the scenarios of shared code. */
export function playSharedScenarios(): void {
  for (const variant of VARIANTS.filter((each) => !FIRST.includes(each)))
    playTopics(variant, (topic) => SHARED_TOPICS.has(topic));
}

/** Defines one test for each scenario of the chosen topics. */
function playTopics(variant: ClientVariant, isChosen: (topic: string) => boolean): void {
  const topics = [...readScenarios(join(ROOT, 'clients/scenarios'))].filter(([topic]) => isChosen(topic));
  describeWith(`the client for ${variant.name}`, variant.toolchain, () => {
    const stage = new Stage(variant);
    beforeAll(() => stage.open());
    afterAll(() => stage.close());
    describe.each(topics)('%s', (_topic, all) => {
      for (const { title, steps, except } of all)
        if (except?.[variant.name] === undefined)
          it(title, async () => {
            for (const step of steps) await stage.play(step);
          });
    });
  });
}

/** The servers of the scenarios, and the player that calls them. */
class Stage {
  readonly #servers = new Map<string, FaultServer>();
  #player: Player | undefined;
  #folder = '';
  #values: Readonly<Record<string, unknown>> = {};

  constructor(private readonly variant: ClientVariant) {}

  async open(): Promise<void> {
    this.#folder = mkdtempSync(join(tmpdir(), 'understudy-scenarios-'));
    const trusted = await TestAuthority.create('Trusted authority');
    const unknown = await TestAuthority.create('Unknown authority');
    writeFileSync(this.#authority, trusted.ca);
    const here = ['127.0.0.1'];
    const servers = {
      server: await FaultServer.start(),
      other: await FaultServer.start(),
      tls: await FaultServer.start(await trusted.issue(here)),
      'tls-expired': await FaultServer.start(await trusted.issue(here, { fromDays: -3, toDays: -1 })),
      'tls-other-host': await FaultServer.start(await trusted.issue(['example.com'])),
      'tls-unknown': await FaultServer.start(await unknown.issue(here)),
    };
    for (const [name, server] of Object.entries(servers)) this.#servers.set(name, server);
    const origins = Object.entries(servers).map(([name, { origin }]) => [name, origin] as const);
    this.#values = {
      ...Object.fromEntries(origins),
      host: new URL(servers.server.origin).host,
      refused: `http://127.0.0.1:${await closedPort()}`,
      folder: this.#folder,
      token: TOKEN,
      job: JOB,
      long: 'x'.repeat(12 * 2 ** 20),
    };
  }

  async close(): Promise<void> {
    await this.#player?.stop();
    for (const server of this.#servers.values()) await server.stop();
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Carries out a call and checks everything that the step expects. @throws Error that lists the differences */
  async play(written: Step): Promise<void> {
    const step = filled(written, this.#values) as Step;
    const { script = [], endless = false } = step;
    const at = step.at ?? 'server';
    for (const [name, server] of this.#servers) server.play(name === at ? script : [], endless);
    if (!this.#player?.isRunning) this.#player = Player.start(this.variant, this.#authority);
    const client = {
      token: TOKEN,
      base_url: this.#servers.get(at)?.origin,
      ...(step.call['client'] as object),
    };
    const response = await this.#player.play({
      fake_sleep: true,
      ...step.call,
      client: withoutNulls(client),
    });
    const server = this.#servers.get(at) as FaultServer;
    const end = step.expect.end && (await server.lastEnd());
    const faults = [
      ...resultMismatches(step.expect, response),
      ...(endless ? [] : scriptMismatches(step, server, response)),
      ...headerMismatches(step, server),
      ...keyMismatches(step.expect.key, server, response),
      ...mismatches(step.expect.requests, server.requests, 'requests').filter(() => step.expect.requests),
      ...mismatches(step.expect.end, end, 'end'),
      ...fileMismatches(step.expect),
      ...this.#strayRequests(at),
      ...leaks(response, this.#player.errors),
    ];
    if (faults.length === 0) return;
    throw new Error(`${step.call.call}:\n${faults.join('\n')}\n\nresponse of the player: ${shown(response)}`);
  }

  get #authority(): string {
    return join(this.#folder, 'authority.pem');
  }

  /** A client sends requests only to the origin of its base URL. */
  #strayRequests(at: string): string[] {
    return [...this.#servers].flatMap(([name, { requests }]) =>
      name === at || requests.length === 0 ? [] : [`the server "${name}" received ${shown(requests)}`],
    );
  }
}

function resultMismatches(expect: Expectation, response: PlayerResponse): string[] {
  const names = ['result', 'error', 'stream', 'records', 'progress', 'received', 'attempts'] as const;
  const faults = names
    .filter((name) => name in expect || name === 'error')
    .flatMap((name) => mismatches(expect[name], response[name], name));
  if (expect.delays === undefined) return faults;
  const delays = (response.attempts ?? []).map(({ delay }) => delay).filter((delay) => delay !== null);
  const ranges = expect.delays.map((range) => ({ $between: range }));
  return [...faults, ...mismatches(ranges, delays, 'delays')];
}

/** Every response of the script belongs to one attempt, which the client reports. */
function scriptMismatches({ script = [] }: Step, server: FaultServer, response: PlayerResponse): string[] {
  const sent = script.filter(({ fault }) => fault?.at !== 'connect').length;
  const attempts = script.map((scripted) => {
    if (scripted.fault?.at === 'body' || scripted.pause !== undefined) return {};
    return { status: scripted.fault ? null : (scripted.status ?? 200) };
  });
  return [
    ...mismatches(0, server.left, 'responses without a request'),
    ...mismatches(sent, server.requests.length, 'number of requests'),
    ...mismatches(attempts, response.attempts ?? [], 'attempts'),
  ];
}

function headerMismatches({ call }: Step, { requests }: FaultServer): string[] {
  const client = { token: TOKEN, ...(call['client'] as object) } as {
    token: string | null;
    without_token?: boolean;
  };
  const { UNDERSTUDY_API_TOKEN: fromEnvironment } = (call['env'] ?? {}) as Record<string, string>;
  const isPublic = PUBLIC_CALLS.has(call.call) || client.without_token === true;
  const token = client.token ?? fromEnvironment;
  const headers = {
    authorization: isPublic ? null : `Bearer ${String(token)}`,
    'user-agent': { $matches: '^understudy-(typescript|python|php|go)/0\\.1\\.0 \\(\\S.*\\)$' },
  };
  return requests.flatMap((request, index) => mismatches({ headers }, request, `requests[${index}]`));
}

/** Every error of a call with a key contains it, and a call has one key. */
function keyMismatches(
  expected: string | undefined,
  { requests }: FaultServer,
  { error }: PlayerResponse,
): string[] {
  if (expected === undefined) return [];
  const keys = [...new Set(requests.map(({ headers }) => headers['idempotency-key'] ?? 'none'))];
  const [key = 'none'] = keys;
  if (keys.length > 1) return [`expected one idempotency key in all requests, got ${keys.join(', ')}`];
  if (expected === 'new' ? !UUID_V4.test(key) : key !== expected)
    return [`expected the idempotency key "${expected}", got "${key}"`];
  if (!error) return [];
  return mismatches(key === 'none' ? null : key, error['idempotency_key'], 'error.idempotency_key');
}

function fileMismatches({ files = {} }: Expectation): string[] {
  return Object.entries(files).flatMap(([path, text]) =>
    mismatches(text, existsSync(path) ? readFileSync(path, 'utf8') : null, path),
  );
}

/** Reports an output that contains the token. The token in base64 counts as well. */
function leaks(response: PlayerResponse, errors: string): string[] {
  const secrets = [TOKEN, Buffer.from(TOKEN).toString('base64').replace(/=+$/, '')];
  const text = JSON.stringify(response) + errors;
  return secrets
    .filter((secret) => text.includes(secret))
    .map(() => 'an output of the player contains the token');
}

function withoutNulls(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
}

/** Returns a port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
