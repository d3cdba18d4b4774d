import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { architectureHolds } from '../src/pages/architecture-page.js';

const ROOT = join(import.meta.dirname, '../../..');

describe('ARCHITECTURE.md', () => {
  it('is one page, whose paths exist', async () => {
    await expect(architectureHolds(ROOT)).resolves.toMatch(/^\d+ paths, \d+ tasks, \d+ bytes$/);
  });
});

describe('the check of ARCHITECTURE.md', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'understudy-architecture-'));
    for (const file of ['apps/agent/src/link/nats.ts', 'apps/cli/src/init/init-command.ts', 'libs/a/b.ts'])
      write(file, '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }

  const page = (rows: readonly string[], more = ''): void =>
    write(
      'ARCHITECTURE.md',
      `# A\n${more}\n## Which file to edit first\n\n| to add or change | edit first |\n| --- | --- |\n${rows.join('\n')}\n`,
    );

  it('accepts files, folders, short paths, alternatives and placeholders', async () => {
    page([
      '| a | `libs/a/`, `libs/{a/b.ts,a}` |',
      '| b | `agent/link/nats.ts`, `cli/<verb>/<verb>-command.ts` |',
    ]);
    await expect(architectureHolds(root)).resolves.toContain('5 paths, 2 tasks');
  });

  it.each([
    'libs/a/c.ts',
    'libs/c/',
    'libs/{a,c}/',
    'agent/wire/',
    'cli/<verb>/<verb>-task.ts',
    'cp/<noun>/a.ts',
  ])('refuses a path that does not exist: %s', async (path) => {
    page([`| a | \`${path}\` |`]);
    await expect(architectureHolds(root)).rejects.toThrow('there is no file');
  });

  it('refuses a page that is longer than 14,000 bytes', async () => {
    page(['| a | `libs/a/` |'], 'a'.repeat(14_000));
    await expect(architectureHolds(root)).rejects.toThrow('at most 14000');
  });

  it.each([0, 26])('refuses a table of %d tasks', async (rows) => {
    page(Array.from({ length: rows }, () => '| a | `libs/a/` |'));
    await expect(architectureHolds(root)).rejects.toThrow(`has ${rows} rows; 1 to 25`);
  });
});
