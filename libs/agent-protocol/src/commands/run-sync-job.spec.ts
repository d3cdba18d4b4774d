import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  CommandSchema,
  RunSyncJobSchema,
  type SourceCode,
  UnlistedColumns,
  type UnlistedTables,
} from '../schema/index.js';
import { AGENT_CAPABILITIES, numbersOf } from '../capabilities.js';

import { decodeCommand } from './command.js';

const JOB = 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E';
const DATABASE = { reference: { case: 'agentDatabase', value: 'shop' } } as const;

function runSyncJob(
  seed: bigint,
  options: Pick<
    MessageInitShape<typeof RunSyncJobSchema>,
    'unlistedTables' | 'sourceCode' | 'tables' | 'needs'
  > = {},
  kind: 'runSyncJob' | 'runCapableSyncJob' = 'runSyncJob',
): Uint8Array {
  const value = create(RunSyncJobSchema, {
    ...options,
    jobId: JOB,
    epoch: 1,
    seed,
    referenceInstant: timestampFromMs(0),
    source: DATABASE,
    target: DATABASE,
  });
  return toBinary(
    CommandSchema,
    create(CommandSchema, { id: 'cmd_01KAMT8Z5CVYX7R2M4D6Q9WJ3E', command: { case: kind, value } }),
  );
}

describe('a command to run a sync job', () => {
  it.each([0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])(
    'is decoded with the seed %d',
    (seed) => {
      expect(decodeCommand(runSyncJob(BigInt(seed)))).toMatchObject({ data: { seed } });
    },
  );

  it('is decoded with the defaults of its options if it comes from an earlier control plane', () => {
    expect(decodeCommand(runSyncJob(0n))).toMatchObject({
      data: { unlistedTables: 'ignore', ignoredTables: [], refreshMaterializedViews: false },
    });
  });

  it('is decoded with the condition and the limit of each table', () => {
    const tables = [{ name: 'a', where: 'id < 9', limit: 5 }, { name: 'b', limit: 7 }, { name: 'c' }];
    expect(decodeCommand(runSyncJob(0n, { tables }))).toMatchObject({
      data: {
        tables: [
          { name: 'a', subset: { where: 'id < 9', limit: 5 } },
          { name: 'b', subset: { limit: 7 } },
          expect.not.objectContaining({ subset: expect.anything() }),
        ],
      },
    });
  });

  it('is decoded with the members of a table in one order, because the fingerprint of an attempt depends on it', () => {
    const columns = [{ name: 'c', ruleJson: '{"unique":true,"type":"uuid"}' }];
    const unlistedColumns = UnlistedColumns.REJECT;
    const { data } = decodeCommand(
      runSyncJob(0n, { tables: [{ limit: 5, where: 'id < 9', unlistedColumns, columns, name: 'a' }] }),
    );
    expect(JSON.stringify((data as { readonly tables: unknown }).tables)).toBe(
      '[{"name":"a","columns":[{"name":"c","rule":{"unique":true,"type":"uuid"}}],' +
        '"unlistedColumns":"reject","subset":{"where":"id < 9","limit":5}}]',
    );
  });

  it('is refused if it needs a capability that this agent lacks', () => {
    const needs = [...numbersOf(AGENT_CAPABILITIES)];
    expect(decodeCommand(runSyncJob(0n, { needs }, 'runCapableSyncJob'))).toMatchObject({
      data: { jobId: JOB },
    });
    const later = [...needs, 99];
    expect(() => decodeCommand(runSyncJob(0n, { needs: later }, 'runCapableSyncJob'))).toThrow(TypeError);
  });

  it('refuses unlisted tables if a newer control plane names a mode that this agent does not know', () => {
    const unlistedTables = 99 as UnlistedTables;
    expect(decodeCommand(runSyncJob(0n, { unlistedTables }))).toMatchObject({
      data: { unlistedTables: 'reject' },
    });
  });

  it('omits code of the source if a newer control plane names a mode that this agent does not know', () => {
    const modeOf = (value: number) => {
      const { data } = decodeCommand(runSyncJob(0n, { sourceCode: value as SourceCode }));
      return (data as { readonly sourceCode?: string }).sourceCode;
    };
    expect([0, 1, 99].map(modeOf)).toEqual([undefined, 'omit', 'omit']);
  });

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])(
    'is refused with the seed %d, which a number cannot represent exactly',
    (seed) => {
      expect(() => decodeCommand(runSyncJob(seed))).toThrow('expected a seed of at most 53 bits');
    },
  );
});
