import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { defaultMaskingThreads } from '@understudy/sync-engine';
import { readAgentConfiguration, ConfigurationError } from './agent-configuration.js';

const COMPLETE = {
  UNDERSTUDY_AGENT_STATE_DIR: '/var/lib/understudy',
  UNDERSTUDY_AGENT_POLICY_FILE: '/etc/understudy/policy.yaml',
  UNDERSTUDY_CONTROL_URL: 'https://api.example.com/v1/',
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readAgentConfiguration(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

it('has defaults for all but three variables and is frozen', () => {
  const configuration = readAgentConfiguration(COMPLETE);
  expect({ ...configuration }).toEqual({
    stateDir: '/var/lib/understudy',
    policyFile: '/etc/understudy/policy.yaml',
    snapshots: {},
    outbound: {},
    controlUrl: 'https://api.example.com/v1',
    enrolmentToken: undefined,
    name: 'agent',
    labels: [],
    pgBinDir: undefined,
    maxJobs: 1,
    connections: Math.min(availableParallelism(), 16),
    maskingThreads: defaultMaskingThreads(availableParallelism()),
    chunkBytes: 64_000_000,
    lockWaitMs: 600_000,
    lostAfterMs: 30_000,
    journalMaxBytes: 64_000_000,
    minFreeDiskBytes: 100_000_000,
    modelCacheMaxBytes: 512_000_000,
    logLevel: 'info',
    logsRowValues: false,
  });
  expect(Object.isFrozen(configuration)).toBe(true);
});

it('reports all problems together', () => {
  expect(
    problemsOf({
      UNDERSTUDY_AGENT_MAX_JOBS: '0',
      UNDERSTUDY_AGENT_CONNECTIONS: '17',
      UNDERSTUDY_AGENT_MASKING_THREADS: '-1',
      UNDERSTUDY_AGENT_CHUNK_MB: '0',
      UNDERSTUDY_AGENT_LOCK_WAIT_SECONDS: '86401',
      UNDERSTUDY_AGENT_MIN_FREE_DISK_MB: '-1',
      UNDERSTUDY_LOG_LEVEL: 'loud',
      UNDERSTUDY_AGENT_LOG_ROW_VALUES: 'yes',
    }),
  ).toHaveLength(11);
});

it('reads a comma-separated list of labels', () => {
  const labelled = (labels: string) => ({ ...COMPLETE, UNDERSTUDY_AGENT_LABELS: labels });
  expect(readAgentConfiguration(labelled(' eu, team=shop,eu,')).labels).toEqual(['eu', 'team=shop']);
  const most = Array.from({ length: 16 }, (_, index) => `l${index}`).join(',');
  expect(problemsOf(labelled(most))).toEqual([]);
  for (const refused of [`${most},l16`, 'two words', '-eu', 'x'.repeat(64)])
    expect(problemsOf(labelled(refused))).toEqual([expect.stringContaining('UNDERSTUDY_AGENT_LABELS')]);
});

it.each([
  ['http://api.example.com/v1', true],
  ['http://127.0.0.1:8080/v1', false],
  ['http://localhost:8080/v1', false],
  ['http://[::1]:8080/v1', false],
  ['http://127.0.0.1.evil.example/v1', true],
  ['http://localhost.evil.example/v1', true],
  ['ftp://api.example.com', true],
  ['not a url', true],
  ['https://user:secret@api.example.com/v1', true],
])('refuses the control URL %s: %s', (url, refused) => {
  const problems = problemsOf({ ...COMPLETE, UNDERSTUDY_CONTROL_URL: url });
  expect(problems.length > 0).toBe(refused);
  expect(problems.join()).not.toContain('secret');
});

describe('the enrolment token', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-enrolment-'));
  const file = join(folder, 'enrolment-token');
  const named = { ...COMPLETE, UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE: file };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('may be in a file, which may be missing after the first start', () => {
    writeFileSync(file, 'us_enrol_x\n', { mode: 0o600 });
    expect(readAgentConfiguration(named).enrolmentToken).toBe('us_enrol_x');
    rmSync(file);
    expect(readAgentConfiguration(named).enrolmentToken).toBeUndefined();
  });

  it('is refused if the variable and the file are set', () => {
    expect(problemsOf({ ...named, UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'x' })).toEqual([
      'UNDERSTUDY_AGENT_ENROLMENT_TOKEN and UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE are both set; remove one of them',
    ]);
  });
});
