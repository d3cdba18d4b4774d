import type { Client, EngineLog } from '@understudy/postgres';
import { type SyncJobCommand, SyncJobError } from '@understudy/sync-job';
import { PERMISSIVE_RULES, type SyncPolicy, type SyncRules } from '../../policy.js';
import { buildLoginOf, refuseOlderServer } from './check-replacement.js';

const LOGIN = { host: 'h', port: 5432, user: 'builder', database: 'd', display: 'd' };

/** Returns the code with which a policy refuses a job before it connects. */
function refusal(rules: Partial<SyncRules>, command: Partial<SyncJobCommand>, login = true) {
  const policy = {
    rules: { ...PERMISSIVE_RULES, ...rules },
    resolveDatabase: () => LOGIN,
    resolveBuildLogin: () => (login ? LOGIN : undefined),
  } as unknown as SyncPolicy;
  const job = { target: { kind: 'agent', name: 'staging' }, ...command } as SyncJobCommand;
  try {
    return buildLoginOf(job, { policy }).user;
  } catch (error) {
    return error instanceof SyncJobError ? error.failure.code : error;
  }
}

describe('the policy for jobs that replace a database', () => {
  it.each([
    [{ allowSecurityDefiner: false }, { securityDefiner: 'keep' }],
    [{ allowLargeObjects: false }, { largeObjects: 'copy' }],
    [{ allowEndSessions: false }, { endSessions: true }],
  ] as const)('denies with %j what %j asks for, and permits the default', (rules, command) => {
    expect(refusal(rules, command)).toBe('policy_denied');
    expect([refusal(rules, {}), refusal({}, command)]).toEqual(['builder', 'builder']);
  });

  it('requires code of the source, and a second login', () => {
    expect(refusal({ allowSourceCode: false }, {})).toBe('source_code_refused');
    expect(refusal({}, {}, false)).toBe('build_login_missing');
  });
});

test('refuses a target whose server is older than that of the source', async () => {
  const server = (version: number) =>
    ({ query: () => Promise.resolve({ rows: [{ version }] }) }) as unknown as Client;
  const log = { warn: () => undefined } as unknown as EngineLog;
  const check = (source: number, target: number) =>
    refuseOlderServer({ source: server(source), target: server(target) }, { log });
  await expect(check(18, 17)).rejects.toMatchObject({ failure: { code: 'target_server_older' } });
  await expect(check(17, 17)).resolves.toBeUndefined();
  await expect(check(14, 18)).resolves.toBeUndefined();
});
