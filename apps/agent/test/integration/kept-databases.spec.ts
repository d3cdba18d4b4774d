import { Logger } from '@nestjs/common';
import { decodeEvent } from '@understudy/agent-protocol';
import { keptName } from '@understudy/database-swap';
import { connect, parseConnectionUrl } from '@understudy/postgres';
import {
  asReplacer,
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';

import type { EventDraft } from '../../src/journal/egress-journal.js';
import { parsePolicy } from '../../src/policy/policy-document.js';
import { Policy } from '../../src/policy/policy.js';
import { KeptDatabases } from '../../src/work/tasks/kept-databases.js';

const JOB = 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const [FIRST, SECOND] = ['rvt_01ARZ3NDEKTSV4RRFFQ69G5FAW', 'rvt_01ARZ3NDEKTSV4RRFFQ69G5FAX'] as const;

// Uses the policy as an agent reads it, and a server of its own, because the agent's role gets privileges on it. The
// link to the control plane is simulated.
describe('a revert of a job that ended sessions', () => {
  let services: TestServices;
  let target: TestDatabase;
  let urls: { readonly url: string; readonly buildUrl: string };
  beforeAll(async () => {
    Logger.overrideLogger(false);
    services = await startTestServices({ postgres: true });
    target = await createTestDatabase(services.postgresUrl);
    urls = await asReplacer(target);
    await target.query(
      `CREATE DATABASE "${keptName(target.name, JOB)}" OWNER "${new URL(urls.url).username}"`,
    );
  });
  afterAll(() => services?.stop());

  /** Runs a command, and returns the reported result. */
  const run = async (
    rules: string,
    command: { revertId: string; lastChangeId: string; endSessions: boolean },
  ) => {
    const reports: unknown[] = [];
    const deliver = (encode: EventDraft['encode']) => {
      reports.push((decodeEvent(encode(1).bytes) as { message: { data: unknown } }).message.data);
      return Promise.resolve();
    };
    const variable = (name: string) => (name === 'BUILD_URL' ? urls.buildUrl : undefined);
    const entry = `{ url: "${urls.url}", roles: [replace], build_url_env: BUILD_URL }`;
    const policy = new Policy(
      parsePolicy(`databases: { staging: ${entry} }\nallow_source_code: true\n${rules}`, variable),
    );
    const reference = { kind: 'agent', name: 'staging' } as const;
    const open = () => Promise.resolve(reference);
    const tasks = new KeptDatabases({ deliver } as never, { open } as never, policy, { lockWaitMs: 300 });
    tasks.beginRevert({ ...command, attempt: 1, workId: JOB, target: reference });
    await Promise.all(tasks['running'].values());
    return reports;
  };

  it('ends sessions, too, if the policy permits this now', async () => {
    const visitor = await connect(parseConnectionUrl(urls.url), 'target', 'visitor');
    const ended = new Promise<void>((resolve) => visitor.on('end', resolve).on('error', () => undefined));
    const inUse = [{ revertId: FIRST, code: 'database_in_use' }];
    const first = { revertId: FIRST, lastChangeId: JOB, endSessions: true };
    expect(await run('allow_end_sessions: false', first)).toEqual(inUse);
    expect(await run('allow_end_sessions: true', { ...first, endSessions: false })).toEqual(inUse);
    expect(await run('allow_end_sessions: true', first)).toEqual([{ revertId: FIRST }]);
    await ended;
    const second = { revertId: SECOND, lastChangeId: FIRST, endSessions: true };
    expect(await run('', second)).toEqual([{ revertId: SECOND }]);
  });
});
