import { createTestDatabase, sharedTestServices, type SharedTestServices } from '@understudy/testing';
import type { DataSource } from 'typeorm';

import {
  DeadLettersService,
  KEPT_PER_AGENT,
} from '../../../src/platform/dead-letters/dead-letters.service.js';
import { openDataSource } from '../../../src/platform/persistence/data-source.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';

let services: SharedTestServices;
let dataSource: DataSource;
let letters: DeadLettersService;

beforeAll(async () => {
  services = await sharedTestServices({ postgres: true });
  const database = await createTestDatabase(services.postgresUrl);
  await migrate(database);
  dataSource = await openDataSource(database);
  letters = new DeadLettersService(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await services.stop();
});
afterEach(() => dataSource.query('DELETE FROM dead_letters'));

function letter(agentId: string, journalSeq: bigint) {
  const rest = { sqlstate: null, pattern: null, workId: null, streamSequence: 1 };
  return { agentId, journalSeq, code: 'malformed', ...rest };
}

it('counts repeated deliveries of a message in one row', async () => {
  const recorded = [];
  for (let times = 0; times < 3; times += 1) recorded.push(await letters.record(letter('agt_a', 7n)));
  expect(recorded).toEqual([true, false, false]);
  expect(await letters.list(10)).toMatchObject([{ agentId: 'agt_a', journalSeq: '7', times: 3 }]);
});

it('keeps the newest rows of an agent and every row of another agent', async () => {
  await letters.record(letter('agt_b', 1n));
  for (let seq = 1n; seq <= KEPT_PER_AGENT + 20; seq += 1n) await letters.record(letter('agt_a', seq));
  const kept = await letters.list(1_000);
  const ofA = kept.filter(({ agentId }) => agentId === 'agt_a').map(({ journalSeq }) => Number(journalSeq));
  expect(ofA).toHaveLength(KEPT_PER_AGENT);
  expect(Math.min(...ofA)).toBe(21);
  expect(kept.some(({ agentId }) => agentId === 'agt_b')).toBe(true);
});

it('deletes rows that are older than 30 days', async () => {
  for (const agentId of ['agt_a', 'agt_b']) await letters.record(letter(agentId, 1n));
  await dataSource.query(
    "UPDATE dead_letters SET last_at = now() - interval '31 days' WHERE agent_id = 'agt_a'",
  );
  await letters.forgetOld();
  expect(await letters.list(10)).toMatchObject([{ agentId: 'agt_b' }]);
});

it('keeps the largest journal number that an acknowledgement can contain', async () => {
  const journalSeq = BigInt(Number.MAX_SAFE_INTEGER);
  await letters.record(letter('agt_a', journalSeq));
  expect(await letters.list(10)).toMatchObject([{ journalSeq: journalSeq.toString() }]);
});
