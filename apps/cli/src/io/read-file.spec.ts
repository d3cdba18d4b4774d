import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readJsonFile } from './read-file.js';

describe('readJsonFile', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-file-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const read = async (text: string): Promise<unknown> => {
    const file = join(folder, 'schema.json');
    await writeFile(file, text);
    return readJsonFile(file);
  };

  it('keeps the digits of integers', async () => {
    await expect(read('{"values":[1099511627776123456]}')).resolves.toEqual({
      values: [1099511627776123456n],
    });
  });

  it.each([
    ['{"a":[1,1e1001]}', /: a\[1\]: this number would be rounded/],
    ['{"max":1e-1001}', /: max: this number would be rounded/],
    ['{"a":9007199254740993,}', /expected JSON in UTF-8/],
    ['['.repeat(100_000) + ']'.repeat(100_000), /expected JSON with fewer nested levels/],
    [`${'['.repeat(100_000)}1e400${']'.repeat(100_000)}`, /expected JSON with fewer nested levels/],
  ])('refuses text %# with its path', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
