import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderUnderTest } from '../laws/folder-under-test.js';

describe('a large file', () => {
  it('needs much less memory than its length to be written and read', async () => {
    const { root, remove } = await folderUnderTest();
    const program = join(__dirname, 'memory-program.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify([root, 512])]);
    await remove();
    expect(Number(stdout)).toBeGreaterThan(0);
    // Measured: 46 to 75 MiB for a file of 2 GiB.
    expect(Number(stdout)).toBeLessThan(200);
  });
});
