import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { CommandSchema, RunSyncJobSchema } from '@understudy/contract';

import { decodeCommand } from './decode-command.js';

const JOB = 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E';
const DATABASE = { reference: { case: 'agentDatabase', value: 'shop' } } as const;

function runSyncJob(seed: bigint): Uint8Array {
  const value = create(RunSyncJobSchema, {
    jobId: JOB,
    epoch: 1,
    seed,
    referenceInstant: timestampFromMs(0),
    source: DATABASE,
    target: DATABASE,
  });
  return toBinary(
    CommandSchema,
    create(CommandSchema, { id: 'cmd_01KAMT8Z5CVYX7R2M4D6Q9WJ3E', command: { case: 'runSyncJob', value } }),
  );
}

describe('a command to run a sync job', () => {
  it.each([0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])(
    'is decoded with the seed %d',
    (seed) => {
      expect(decodeCommand(runSyncJob(BigInt(seed)))).toMatchObject({ data: { seed } });
    },
  );

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])(
    'is refused with the seed %d, which a number cannot represent exactly',
    (seed) => {
      expect(() => decodeCommand(runSyncJob(seed))).toThrow('expected a seed of at most 53 bits');
    },
  );
});
