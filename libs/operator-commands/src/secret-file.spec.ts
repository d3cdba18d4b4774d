import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { secretVariable } from './secret-file.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileWith(text: string, mode = 0o640): string {
  const path = join(folder, `secret-${(files += 1)}`);
  writeFileSync(path, text);
  chmodSync(path, mode); // the umask of the test does not change this mode
  return path;
}
const read = (path: string) => () => secretVariable({ WORD_FILE: path }, 'WORD');

describe('a secret variable', () => {
  it('is the variable itself, or the content of its file', () => {
    expect(secretVariable({ WORD: 'mellon' }, 'WORD')).toBe('mellon');
    expect(secretVariable({ WORD_FILE: fileWith('mellon') }, 'WORD')).toBe('mellon');
    expect(secretVariable({ WORD: '', WORD_FILE: fileWith('mellon') }, 'WORD')).toBe('mellon');
    expect(secretVariable({ WORD: '', WORD_FILE: '' }, 'WORD')).toBeUndefined();
  });

  it.each([
    ['mellon\n', 'mellon'],
    ['mellon\r\n', 'mellon'],
    ['mellon\n\n', 'mellon\n'],
    [' mellon ', ' mellon '],
  ])('loses only one newline at the end of its file: %j', (text, value) => {
    expect(read(fileWith(text))()).toBe(value);
  });

  it('is refused if both variables are set, and quotes neither', () => {
    const both = { WORD: 'canary', WORD_FILE: fileWith('canary') };
    expect(() => secretVariable(both, 'WORD')).toThrow(
      /^WORD and WORD_FILE are both set; remove one of them$/,
    );
  });

  it.each([0o644, 0o642, 0o641])('is refused if other users can use its file: mode %o', (mode) => {
    expect(read(fileWith('canary', mode))).toThrow(/^WORD_FILE names a file .* run chmod o-rwx on it$/);
  });

  it('is refused if its file is empty or too large, and has at most 64 KiB', () => {
    expect(read(fileWith('\n'))).toThrow('WORD_FILE names an empty file');
    expect(read(fileWith('x'.repeat(64 * 1024)))()).toHaveLength(64 * 1024);
    expect(read(fileWith('x'.repeat(64 * 1024 + 1)))).toThrow('at most 64 KiB, this one has 65537 bytes');
  });

  it('is refused if its file is a folder or a pipe, without waiting for a writer', () => {
    const [inner, pipe] = [join(folder, 'inner'), join(folder, 'pipe')];
    mkdirSync(inner, { mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', pipe]);
    for (const path of [inner, pipe, '/dev/null']) expect(read(path)).toThrow('must name a regular file');
  });

  it('is refused if its file is missing, unless it may be missing', () => {
    const path = join(folder, 'absent');
    expect(read(path)).toThrow(/^(?!.*absent)WORD_FILE must name a file .*\(ENOENT\)/);
    expect(secretVariable({ WORD_FILE: path }, 'WORD', { mayBeMissing: true })).toBeUndefined();
  });
});
