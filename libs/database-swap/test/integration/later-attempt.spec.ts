import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect, type ConnectionTarget, type EngineLog, parseConnectionUrl } from '@understudy/postgres';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { lockTarget, withLockedTarget } from '../../src/index.js';

const SILENT: EngineLog = { error: ignore, warn: ignore, info: ignore, debug: ignore };

function ignore(): void {}

/** The suite has a server of its own, because it changes privileges of the maintenance databases. */
describe('an attempt', () => {
  let services: TestServices;
  let admin: TestDatabase;
  let target: ConnectionTarget;
  let agent: ChildProcess;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
    admin = await createTestDatabase(services.postgresUrl);
    await admin.query("CREATE ROLE agent LOGIN PASSWORD 'pw'");
    await admin.query('REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC');
  });
  afterAll(() => services.stop());
  beforeEach(async () => {
    const { url } = await createTestDatabase(services.postgresUrl);
    target = parseConnectionUrl(Object.assign(new URL(url), { username: 'agent', password: 'pw' }).href);
    agent = fork(join(import.meta.dirname, 'lock-process.mjs'));
  });
  afterEach(async () => {
    const ended = once(agent, 'exit');
    agent.kill('SIGKILL');
    await ended;
  });

  const admit = (isAdmitted: boolean) =>
    admin.query(
      `${isAdmitted ? 'GRANT' : 'REVOKE'} CONNECT ON DATABASE postgres ${isAdmitted ? 'TO' : 'FROM'} agent`,
    );

  /** Lets an agent lock the target as the first attempt, and then hang. */
  const hang = async (isInTarget: boolean): Promise<void> => {
    await admit(!isInTarget);
    agent.send({ target, name: 'understudy a 1' });
    expect(await once(agent, 'message')).toEqual([{ isInTarget }, undefined]);
    agent.kill('SIGSTOP');
  };

  const HOLDS = [
    ['in the target', 'in the target', true, true],
    ['in a maintenance database', 'in the target', false, true],
    ['in the target', 'in a maintenance database', true, false],
    ['in a maintenance database', 'in a maintenance database', false, false],
  ] as const;
  it.each(HOLDS)(
    'ends an older one that hangs with a lock %s, and gets its own lock %s',
    async (_older, _own, isOlderInTarget, isInTarget) => {
      await hang(isOlderInTarget);
      await admit(!isInTarget);
      const request = { name: 'understudy a 2', log: SILENT, signal: AbortSignal.timeout(20_000) };
      expect(await withLockedTarget(target, request, async (session) => session.isInTarget)).toBe(isInTarget);
    },
  );

  it('ends an older one that hangs before it works inside the target', async () => {
    await hang(true);
    const client = await connect(target, 'target', 'understudy a 2');
    expect(await lockTarget(client, SILENT)).toMatchObject({ isBeingReplaced: false });
    await client.end();
  });

  it('does not wait for other work in the target after its signal aborts', async () => {
    await hang(true);
    const abort = new AbortController();
    const log = { ...SILENT, warn: () => abort.abort(new Error('stopped')) };
    const request = { name: 'understudy b 1', log, signal: abort.signal };
    const wait = () => withLockedTarget(target, request, async () => undefined);
    await expect(wait()).rejects.toThrow('stopped');
    await expect(wait()).rejects.toThrow('stopped'); // the signal has aborted before
  });
});
