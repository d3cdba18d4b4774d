import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { dashboardSizeHolds } from '../src/dashboard-size/dashboard-size.js';

const KIB = 1024;

describe('the size of the dashboard', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'understudy-size-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const plant = (name: string, content: string | Buffer) => {
    const file = join(root, 'apps/dashboard/dist/site', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  /** Plants a dashboard whose shell has a script, a style sheet and a chunk that a route imports, too. */
  const build = ({ shell = 3, route = 1, editor = 1 } = {}) => {
    plant(
      '.vite/manifest.json',
      JSON.stringify({
        'index.html': { file: 'main.js', isEntry: true, imports: ['_common.js'], css: ['main.css'] },
        '_common.js': { file: 'common.js', imports: ['index.html'] },
        'src/jobs/jobs-page.tsx': {
          file: 'jobs.js',
          isDynamicEntry: true,
          imports: ['_common.js', '_jobs.js'],
        },
        '_jobs.js': { file: 'jobs-parts.js', css: ['jobs.css'] },
        'src/playground/page.tsx': {
          file: 'playground.js',
          isDynamicEntry: true,
          dynamicImports: ['src/playground/editor/editor.tsx'],
        },
        'src/playground/editor/editor.tsx': {
          file: 'editor.js',
          isDynamicEntry: true,
          imports: ['src/playground/page.tsx'], // is loaded before the editor
        },
      }),
    );
    const sizes = {
      'main.js': shell - 2,
      'common.js': 1,
      'main.css': 1,
      'jobs.js': route,
      'jobs-parts.js': 0,
      'jobs.css': 0,
      'playground.js': 50,
      'editor.js': editor,
    };
    for (const [name, kib] of Object.entries(sizes)) plant(`${name}.gz`, Buffer.alloc(kib * KIB));
  };

  it('is reported if each part is as large as it may be', async () => {
    build({ shell: 260, route: 100, editor: 140 });
    expect(await dashboardSizeHolds(root)).toBe(
      'shell 260.0 KiB, playground/editor/editor.tsx 140.0 KiB, jobs/jobs-page.tsx 100.0 KiB',
    );
  });

  it.each([
    [{ shell: 261 }, 'shell 261.0 KiB; at most 260 KiB'],
    [{ route: 101 }, 'jobs/jobs-page.tsx 101.0 KiB; at most 100 KiB'],
    [{ editor: 141 }, 'playground/editor/editor.tsx 141.0 KiB; at most 140 KiB'],
  ])('is a fault for %j', async (sizes, message) => {
    build(sizes);
    await expect(dashboardSizeHolds(root)).rejects.toThrow(message);
  });

  it('is unknown without a built dashboard', async () => {
    await expect(dashboardSizeHolds(root)).rejects.toThrow('run npm run build');
  });
});
