import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NgramTrainer } from '@understudy/ngram';
import type { StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase, waitFor, type TestDatabase } from '@understudy/testing';

import { removeStack, startStack } from './support/stack.js';
import { RecordingApi, type JobView } from './support/sync-over-rest.js';

// Uses a real control plane, agent, PostgreSQL, Redis and NATS, each in its own process.
let dataDir: string;
let stack: StackInfo;
let api: RecordingApi;
let target: TestDatabase;
/** The connection URLs of jobs. */
let databases: { readonly source: string; readonly target: string };

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'understudy-hosted-'));
  stack = await startStack({ dataDir });
  api = new RecordingApi(stack.base_url, stack.api_token);
  const source = await createTestDatabase(
    stack.databases_admin_url,
    `CREATE TABLE people (id int PRIMARY KEY, name text);
     INSERT INTO people SELECT n, 'person ' || chr(97 + n % 26) || chr(97 + n / 26) FROM generate_series(1, 400) AS n`,
  );
  target = await createTestDatabase(
    stack.databases_admin_url,
    "CREATE TABLE people (id int PRIMARY KEY, name text); INSERT INTO people VALUES (-1, 'before')",
  );
  databases = { source: await asSource(source), target: await asTarget(target) };
});

afterAll(() => removeStack(dataDir));

/** Creates a model whose words contain only these letters. Also returns the SHA-256 of its file. */
function model(letters: string): { file: Uint8Array<ArrayBuffer>; hash: string } {
  const trainer = new NgramTrainer({ order: 2, name: 'm', locale: 'en_US', originals: 'none' });
  for (const a of letters) for (const b of letters) trainer.add(`${a}${b}${a}`);
  const file = new Uint8Array(trainer.finish());
  return { file, hash: createHash('sha256').update(file).digest('hex') };
}

async function upload(name: string, file: Uint8Array<ArrayBuffer>): Promise<void> {
  const body = new FormData();
  body.set('name', name);
  body.set('file', new Blob([file]), 'm.ngram');
  const headers = { authorization: `Bearer ${stack.api_token}` };
  const { status } = await fetch(`${stack.base_url}/models`, { method: 'POST', headers, body });
  expect(status).toBe(201);
}

const people = (rule: object) => [{ name: 'people', columns: { name: rule } }];
const names = async () =>
  (await target.query('SELECT name FROM people ORDER BY id')).rows.map(({ name }) => name);
const agentFile = (...path: string[]) => join(dataDir, 'agent', 'state', 'models', ...path);

function killAgents(): void {
  for (const pid of stack.pids.agents) process.kill(pid, 'SIGKILL');
}

async function post(rule: object): Promise<JobView> {
  const database = (url: string) => ({ type: 'postgresql', connection_string: url });
  const { body } = await api.call('POST', '/sync/jobs', {
    name: 'e2e',
    source: database(databases.source),
    target: database(databases.target),
    tables: people(rule),
  });
  return body.data as JobView;
}

const ended = (id: string) =>
  waitFor(`job ${id} to end`, async () => {
    const job = (await api.call('GET', `/sync/jobs/${id}`)).body.data;
    return (job?.status === 'completed' || job?.status === 'failed') && job;
  });

it('masks with an uploaded model that the agent fetches by its hash', async () => {
  const { file, hash } = model('xyz');
  await upload('letters', file);
  const job = await api.sync({ ...databases, tables: people({ generator: 'custom/letters' }) });
  expect([job.status, job.error]).toEqual(['completed', null]);
  expect(job.models).toEqual([{ name: 'custom/letters', hash }]);
  const written = await names();
  expect(written).toHaveLength(400);
  expect(written.filter((name) => !/^[xyz]+$/.test(String(name)))).toEqual([]);
  expect(existsSync(agentFile('hosted', `${hash}.ngram`))).toBe(true);
});

it('masks with nested registered compositions and an uploaded model', async () => {
  const register = async (composition: object) =>
    expect((await api.call('POST', '/generators', composition)).status).toBe(201);
  await upload('marks', model('mno').file);
  await register({
    name: '@e2e/people:mark',
    let: { m: { type: 'model', source: 'custom/marks' } },
    body: '[{{m}}]',
  });
  await register({
    name: '@e2e/people:label',
    version: '1.0.0',
    params: { of: { type: 'string', required: true } },
    let: { mark: { use: '@e2e/people:mark' } },
    body: '{{of}} {{mark}}',
  });
  const rule = { use: '@e2e/people:label@1.0.0', params: { of: 'safe' } };
  killAgents();
  const { id, generators, models } = (await post(rule)) as JobView & { generators: { name: string }[] };
  expect(generators.map(({ name }) => name)).toEqual(['@e2e/people:label@1.0.0', '@e2e/people:mark@0.1.0']);
  expect(models.map(({ name }) => name)).toEqual(['custom/marks']);
  // The job has its own copy, so deleting the registered composition does not affect it.
  expect((await api.call('DELETE', '/generators/@e2e/people:mark')).status).toBe(200);
  stack = await startStack({ dataDir });
  const job = await ended(id);
  expect([job.status, job.error]).toEqual(['completed', null]);
  expect((await names()).filter((name) => !/^safe \[[mno]+\]$/.test(String(name)))).toEqual([]);
});

it('fails and leaves the target unchanged if the model is deleted before the agent fetches it', async () => {
  await upload('short_lived', model('pqr').file);
  killAgents();
  const before = await names();
  const { id } = await post({ generator: 'custom/short_lived' });
  expect((await api.call('DELETE', '/models/custom/short_lived')).status).toBe(200);
  stack = await startStack({ dataDir });
  const job = await ended(id);
  expect([job.status, job.error?.code]).toEqual(['failed', 'hosted_model_missing']);
  expect(await names()).toEqual(before);
});

it('erases a deleted private model on the agent, even if the agent was not running at the time', async () => {
  const rule = (name: string) => ({ generator: `private/${name}`, train: { order: 2, min_values: 5 } });
  for (const name of ['here', 'away']) {
    const job = await api.sync({ ...databases, tables: people(rule(name)) });
    expect([job.status, job.error]).toEqual(['completed', null]);
    expect(existsSync(agentFile('private', `${name}.ngram`))).toBe(true);
  }
  const remove = async (name: string) =>
    expect((await api.call('DELETE', `/models/private/${name}`)).status).toBe(200);
  // If the agent died just after it received the command, NATS delivers the command again after 30 s.
  const gone = (name: string) =>
    waitFor(`${name} to be erased`, async () => !existsSync(agentFile('private', `${name}.ngram`)));

  await remove('here');
  await gone('here');
  killAgents();
  await remove('away');
  expect(existsSync(agentFile('private', 'away.ngram'))).toBe(true);
  stack = await startStack({ dataDir });
  await gone('away');

  const again = await api.sync({ ...databases, tables: people(rule('away')) });
  expect(again.status).toBe('completed');
  expect(existsSync(agentFile('private', 'away.ngram'))).toBe(true);
});
