import { fromBinary } from '@bufbuild/protobuf';
import { type Declaration, jobOptions, OPTIONS, UNLISTED_COLUMNS } from '@understudy/sync-job';

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
import {
  AgentCapability as WireCapability,
  CommandSchema,
  RunSyncJobSchema,
  UnlistedColumns,
} from './schema/index.js';

const JOB: CapableJob = { tables: [{ name: 't', columns: [] }] };
const RULE = { type: 'list', values: [2n ** 60n] };

/** Returns the part of a job that needs a capability: an option with another value than its default. */
function needing(name: Exclude<AgentCapability, 'kept_databases'>): Partial<CapableJob> {
  if (name === 'exact_numbers') return { tables: [{ name: 't', columns: [{ name: 'c', rule: RULE }] }] };
  if (name === 'fetched_tables') return { fetchedTables: { hash: 'ab'.repeat(32), byteLength: 2 } };
  const { type, enum: modes = [], minimum, default: fallback }: Declaration = OPTIONS[name];
  const values = { boolean: true, integer: minimum, string: modes.find((mode) => mode !== fallback) };
  return jobOptions({ [name]: new Map<string, unknown>(Object.entries(values)).get(type) });
}

const namesOf = (wire: object): readonly string[] =>
  Object.keys(wire).filter((name) => /^[A-Z]/.test(name) && name !== 'UNSPECIFIED');

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
  // No job needs `kept_databases`, but commands that are no jobs.
  it.each(AGENT_CAPABILITIES.flatMap((name) => (name === 'kept_databases' ? [] : [name])))(
    'is needed by a job with its option, and is found by its number: %s',
    (name) => {
      expect(capabilitiesOf(numbersOf([name]))).toEqual([name]);
      expect(neededCapabilities(JOB)).toEqual([]);
      expect(neededCapabilities({ ...JOB, ...needing(name) })).toEqual([name]);
    },
  );

  it.each(namesOf(WireCapability))('has the number of the protobuf enum: %s', (name) => {
    const number = WireCapability[name as keyof typeof WireCapability];
    expect(capabilitiesOf([number])).toEqual([name.toLowerCase()]);
  });

  it('belongs to each option for which commands have no field, because earlier agents would ignore it', () => {
    const fields = RunSyncJobSchema.fields.map(({ name }) => name);
    // A job with an option of databases needs the capability `replace`.
    const further = Object.entries<Declaration>(OPTIONS)
      .filter(([name, { reading }]) => !fields.includes(name) && reading?.mode !== 'database')
      .map(([name]) => name);
    expect(AGENT_CAPABILITIES).toEqual(expect.arrayContaining(further));
    expect(new Set(numbersOf(AGENT_CAPABILITIES)).size).toBe(AGENT_CAPABILITIES.length);
  });

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
    expect(sent({ ...subset, ...needing('source_code') })).toEqual(['runOptionedSyncJob', [3]]);
    expect(sent({ dryRun: true, ...needing('exact_numbers'), ...needing('unlisted_tables') })).toEqual([
      'runCapableSyncJob',
      [1, 4],
    ]);
  });
});

describe('a mode for unlisted columns', () => {
  it.each(namesOf(UnlistedColumns))('has the number of the protobuf enum: %s', (name) => {
    const position = UnlistedColumns[name as keyof typeof UnlistedColumns] - 1;
    expect(UNLISTED_COLUMNS[position]).toBe(name.toLowerCase());
  });
});
