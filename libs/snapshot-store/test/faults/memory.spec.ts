import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderUnderTest } from '../laws/folder-under-test.js';

describe('a large file', () => {
  it('takes much less memory than its length to write and to read', async () => {
    const { root, remove } = await folderUnderTest();
    const program = join(__dirname, 'memory-program.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify([root, 512])]);
    await remove();
    expect(Number(stdout)).toBeGreaterThan(0);
    // 46 to 75 were seen for 2 GiB.
    expect(Number(stdout)).toBeLessThan(200);
  });
});
