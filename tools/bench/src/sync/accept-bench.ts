import { setTimeout as pause } from 'node:timers/promises';

import { Understudy } from '@understudy/client';
import type { StackInfo } from '@understudy/stack';
import { asReplacer, asSource, createTestDatabase, type TestDatabase } from '@understudy/testing';

import { log, type OfferDatabases } from '../bench-environment.js';
import { summaryOf } from '../summary.js';

const PROBE_EVERY_MS = 5;
const POLL_MS = 100;

export interface AcceptSize {
  readonly rounds: number;
  /** The number of tables of the job, at most the limit of the API. */
  readonly tables: number;
  /** The number of columns with a rule in each table. */
  readonly columns: number;
}

/**
 * Measures how long the control plane needs to accept a job that replaces a database with many columns, and how long
 * `/readyz` takes at that time. One table of the source has a new column, so it also measures how soon the agent refuses
 * the job.
 */
export async function benchAccept(
  { databases_admin_url: server }: StackInfo,
  offer: OfferDatabases,
  { rounds, tables, columns }: AcceptSize,
) {
  const names = Array.from({ length: columns }, (_, index) => `column_${index}`);
  const source = await createTestDatabase(server);
  const target = await createTestDatabase(server);
  await makeTables(source, tables, names);
  const { url, buildUrl } = await asReplacer(target);
  const sourceUrl = await asSource(source);
  const stack = await offer({
    agentSettings: { BENCH_BUILD_URL: buildUrl },
    offerDatabases: () =>
      Promise.resolve({
        [SOURCE]: { url: sourceUrl, roles: ['source'] },
        [TARGET]: { url, roles: ['replace'], build_url_env: 'BENCH_BUILD_URL' },
      }),
  });
  const client = new Understudy({ baseUrl: stack.base_url, token: stack.api_token });
  const body = JSON.stringify(jobOf(tables, names));
  const times = { accept: [] as number[], readyz: [] as number[], refuse: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const [id, readyzMs] = await slowestProbe(stack, () => create(stack, body));
    times.accept.push(performance.now() - started);
    times.readyz.push(readyzMs);
    times.refuse.push(await refusedAfter(client, id));
    const [accept, refuse] = [times.accept.at(-1), times.refuse.at(-1)];
    log(`round ${round + 1}: accepted in ${accept?.toFixed(0)} ms, refused in ${refuse?.toFixed(0)} ms`);
  }
  await Promise.all([source.drop(), target.drop()]);
  return {
    ...{ tables, columns_of_each: columns, body_bytes: body.length },
    accept_ms: summaryOf(times.accept),
    /** The slowest response of each round. */
    readyz_ms: summaryOf(times.readyz),
    /** From the acceptance to the failure of the job. */
    refuse_ms: summaryOf(times.refuse),
  };
}

const SOURCE = 'bench_source';
const TARGET = 'bench_target';
const tableName = (index: number): string => `accepted_${index}`;

/** Creates the tables of the job. The last one has a column without a rule. */
async function makeTables(source: TestDatabase, tables: number, names: readonly string[]): Promise<void> {
  const columns = names.map((name) => `${name} text`).join(', ');
  for (let index = 0; index < tables; index += 1)
    await source.query(`CREATE TABLE ${tableName(index)} (${columns})`);
  await source.query(`ALTER TABLE ${tableName(tables - 1)} ADD COLUMN new_column text`);
}

function jobOf(tables: number, names: readonly string[]) {
  const rules = [{ preserve: true }, { generator: 'template', pattern: '{{uuid}}@example.test' }];
  const columns = Object.fromEntries(names.map((name, index) => [name, rules[index % rules.length]]));
  return {
    name: 'accept benchmark',
    source: { type: 'postgresql', connection_string: `agent:${SOURCE}` },
    target: { type: 'postgresql', connection_string: `agent:${TARGET}` },
    replace: 'database',
    tables: Array.from({ length: tables }, (_, index) => ({ name: tableName(index), columns })),
  };
}

/** @returns the id of the job */
async function create({ base_url, api_token }: StackInfo, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' };
  const response = await fetch(`${base_url}/sync/jobs`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`expected the job to be accepted, got ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { readonly data: { readonly id: string } }).data.id;
}

/** Does the work, and requests `/readyz` all the time. @returns also the time of the slowest response */
async function slowestProbe<T>({ base_url }: StackInfo, work: () => Promise<T>): Promise<[T, number]> {
  const state = { isOver: false, slowestMs: 0 };
  const probe = async (): Promise<void> => {
    while (!state.isOver) {
      const started = performance.now();
      const response = await fetch(new URL('/readyz', base_url));
      await response.text();
      if (!response.ok) throw new Error(`expected /readyz to succeed, got the status ${response.status}`);
      state.slowestMs = Math.max(state.slowestMs, performance.now() - started);
      await pause(PROBE_EVERY_MS);
    }
  };
  const probing = probe();
  const result = await work().finally(() => (state.isOver = true));
  await probing;
  return [result, state.slowestMs];
}

async function refusedAfter(client: Understudy, id: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    const job = await client.jobs.get(id, { tables: 'none' });
    if (job.status === 'failed' && job.error?.code === 'column_unlisted') return performance.now() - started;
    if (job.status === 'failed' || job.status === 'completed')
      throw new Error(
        `expected the new column to be refused, the job is ${job.status}: ${job.error?.message}`,
      );
    await pause(POLL_MS);
  }
}
