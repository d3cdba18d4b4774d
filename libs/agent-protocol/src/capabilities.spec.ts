import { fromBinary } from '@bufbuild/protobuf';

import {
  AGENT_CAPABILITIES,
  capabilitiesOf,
  namesOfCapabilities,
  neededCapabilities,
  numbersOf,
  type AgentCapability,
  type CapableJob,
} from './capabilities.js';
import { encodeCommand } from './commands/command.js';
import { AgentCapability as WireCapability, CommandSchema, enumValue } from './schema/index.js';

const JOB: CapableJob = { tables: [{ name: 't', columns: [] }] };
const RULE = { type: 'list', values: [2n ** 60n] };
const OPTIONS: Readonly<Record<AgentCapability, Partial<CapableJob>>> = {
  unlisted_tables: { unlistedTables: 'warn' },
  refresh_materialized_views: { refreshMaterializedViews: true },
  source_code: { sourceCode: 'omit' },
  exact_numbers: { tables: [{ name: 't', columns: [{ name: 'c', rule: RULE }] }] },
};

/** Returns the kind of command that the control plane sends for a job, and the numbers in it. */
function sent(job: Partial<CapableJob> & { readonly dryRun?: boolean }) {
  const database = { kind: 'agent', name: 'shop' } as const;
  const data = {
    ...{ jobId: 'job_1', epoch: 1, seed: 0, referenceInstantMs: 0, acceptedAtMs: 0, graceSeconds: 0 },
    ...{
      source: database,
      target: database,
      unlistedColumns: 'reject' as const,
      hostedModels: [],
      compositions: [],
    },
    ...JOB,
    ...job,
  } as const;
  const { command } = fromBinary(CommandSchema, encodeCommand('cmd_1', { pattern: 'run_sync_job', data }));
  return [command.case, (command.value as { readonly needs: readonly number[] }).needs];
}

describe('a capability', () => {
  it.each(AGENT_CAPABILITIES)(
    'has the number of the protobuf enum, and a job with its option needs it: %s',
    (name) => {
      expect(numbersOf([name])).toEqual([enumValue(WireCapability, name)]);
      expect(capabilitiesOf(numbersOf([name]))).toEqual([name]);
      expect(neededCapabilities(JOB)).toEqual([]);
      expect(neededCapabilities({ ...JOB, ...OPTIONS[name] })).toEqual([name]);
    },
  );

  it('is named in messages', () => {
    const names = 'source_code and numbers that a double would change';
    expect(namesOfCapabilities(['exact_numbers', 'source_code'])).toBe(names);
  });

  it('that only a newer version has is not known', () => {
    expect(capabilitiesOf([0, 99, 1, 1])).toEqual(['unlisted_tables']);
  });
});

describe('the kind of a command', () => {
  it('is refused by agents that would ignore a restriction, and needs no number for a dry run or a subset', () => {
    const subset = { tables: [{ name: 't', columns: [], subset: { limit: 1 } }] };
    expect(sent({})).toEqual(['runSyncJob', []]);
    expect(sent({ dryRun: true })).toEqual(['runRestrictedSyncJob', []]);
    expect(sent(subset)).toEqual(['runRestrictedSyncJob', []]);
    expect(sent({ ...subset, ...OPTIONS.source_code })).toEqual(['runOptionedSyncJob', [3]]);
    expect(sent({ dryRun: true, ...OPTIONS.exact_numbers, ...OPTIONS.unlisted_tables })).toEqual([
      'runCapableSyncJob',
      [1, 4],
    ]);
  });
});
