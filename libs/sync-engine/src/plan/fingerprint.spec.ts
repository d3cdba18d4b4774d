import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSyncRequest, toDefinition } from '@understudy/sync-job';
import { ENGINE_VERSION, fingerprintOf } from './fingerprint.js';

it('keeps ENGINE_VERSION equal to the version in package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { major, minor, patch } = ENGINE_VERSION;
  expect(`${major}.${minor}.${patch}`).toBe((JSON.parse(text) as { version: string }).version);
});

describe('fingerprintOf', () => {
  const fingerprintOfRequest = (request: Readonly<Record<string, unknown>>): string => {
    const command = {
      ...toDefinition(readSyncRequest(request, [])),
      ...{ jobId: 'job_1', epoch: 1, seed: 7, referenceInstantMs: 1_764_460_800_000, acceptedAtMs: 0 },
      source: { kind: 'url', url: 'postgresql://h/source' },
      target: { kind: 'url', url: 'postgresql://h/target' },
      hostedModels: [{ id: 'custom/names', hash: 'ab'.repeat(32), byteLength: 5 }],
      compositions: [{ use: 'shop/card', definitionJson: '{"type":"uuid"}', hash: 'cd'.repeat(32) }],
    } as const;
    const keys = { tables: [], references: [] };
    return fingerprintOf(command, [], keys, new Uint8Array(32).fill(9), { find: () => undefined });
  };
  const email = { type: 'email', unique: true };
  const note = { generator: 'custom/names' };
  const subset = { where: 'id < 5', limit: 3 };

  // Another value makes an attempt of a job start from zero, and `verify` recompute nothing of earlier runs. It changes
  // with the versions of this package and of the generators.
  it('returns the same fingerprint for a job in each build of a version', () => {
    const table = { name: 'a', columns: { email, note }, unlisted_columns: 'reject', subset };
    expect(fingerprintOfRequest({ tables: [table, { name: 'b' }], unlisted_columns: 'null' })).toBe(
      '2fe24ccaf801267431161f82049d0c14589cfbc700da4e26607fd26b94166894',
    );
  });

  it('ignores the order of the fields of a request, but not that of its tables', () => {
    const tables = [
      { name: 'a', columns: { email, note }, unlisted_columns: 'reject', subset },
      { name: 'b' },
    ];
    const fingerprint = fingerprintOfRequest({ tables, unlisted_columns: 'null' });
    const reordered = {
      subset: { limit: 3, where: 'id < 5' },
      ...{ unlisted_columns: 'reject', columns: { email, note }, name: 'a' },
    };
    expect(fingerprintOfRequest({ unlisted_columns: 'null', tables: [reordered, { name: 'b' }] })).toBe(
      fingerprint,
    );
    expect(fingerprintOfRequest({ tables: tables.toReversed(), unlisted_columns: 'null' })).not.toBe(
      fingerprint,
    );
  });
});
