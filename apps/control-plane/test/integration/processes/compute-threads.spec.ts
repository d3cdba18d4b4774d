import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const POOL = join(import.meta.dirname, '../../../dist/data/compute/compute-pool.js');
const THREADS = 8;
const ROUNDS = 12;

/** Ends a pool many times while its threads load their code. Prints a word if the process has survived. */
const PROGRAM = `
  import 'reflect-metadata';
  import { setTimeout } from 'node:timers/promises';
  import { ComputePool } from ${JSON.stringify(POOL)};
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    const pool = new ComputePool({ generation: { threads: ${THREADS}, waiting: 1, heapMb: 64 } });
    pool.start();
    await setTimeout(60 + ((round * 37) % 500));
    await pool.onApplicationShutdown();
  }
  console.log('survived');
`;

it('ends threads that load their code without ending the process', async () => {
  // Without the option of the pool, 5 of 6 runs of 12 rounds ended by SIGABRT (Node.js 20.20).
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: join(import.meta.dirname, '../../..'),
  });
  expect(stdout).toBe('survived\n');
});
