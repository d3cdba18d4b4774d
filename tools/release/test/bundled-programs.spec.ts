import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesIn, PROGRAMS } from '../src/staging/stage-program.js';

const ROOT = join(import.meta.dirname, '../../..');
const BUNDLER = join(ROOT, 'tools/bundle.mjs');
/** A path that a bundle computes from its own folder. */
const JOINED_PATH = /join\(import\.meta\.dirname, "([^"]+)"\)/g;
/** Written in parts, because the transform of Jest replaces this expression also in texts. */
const FOLDER = ['import', 'meta', 'dirname'].join('.');

/** The part of a plugin of rolldown that this suite calls. */
interface Plugin {
  readonly renderChunk: (code: string) => void;
}

describe.each(PROGRAMS)('the bundle of $folder', ({ folder }) => {
  const bundle = join(ROOT, folder, 'dist/bundle');
  const chunks = filesIn(bundle).filter((file) => file.endsWith('.js'));
  const read = (file: string) => readFileSync(join(bundle, file), 'utf8');

  it('finds each file that it looks for beside itself', () => {
    const paths = chunks.flatMap((file) =>
      [...read(file).matchAll(JOINED_PATH)].map(([, path]) => path ?? ''),
    );
    expect(paths).toContain(folder === 'apps/control-plane' ? 'worker.js' : 'snapshot-keeper-process.js');
    expect(paths.filter((path) => !existsSync(join(bundle, path)))).toEqual([]);
  });

  it('has maps that lead to our sources', () => {
    const maps = chunks.map((file) => `${file}.map`).filter((file) => existsSync(join(bundle, file)));
    const sources = maps.flatMap((file) => (JSON.parse(read(file)) as { sources: string[] }).sources);
    const own = sources.filter((source) => !source.includes('node_modules'));
    expect(own.length).toBeGreaterThan(50);
    expect(
      own.filter((source) => !/\/src\/.*\.ts$/.test(source) || !existsSync(join(bundle, source))),
    ).toEqual([]);
  });
});

describe('the bundler', () => {
  it.each([
    ["readFileSync(join(__dirname, 'script.lua'));", false],
    ['const scripts = dirname(fileURLToPath(import.meta.url));', false],
    [`const worker = join(${FOLDER}, name);`, false],
    [`const worker = join(${FOLDER}, 'worker.js');`, true],
    ["const site = createRequire(import.meta.url).resolve('swagger-ui-dist');", true],
    [' * const folder = __dirname;', true],
  ])('decides whether a bundle can follow the path in: %s', async (code, isFollowed) => {
    const { followPaths } = (await import(BUNDLER)) as { followPaths: (dist: string) => Plugin };
    const check = () => followPaths(join(ROOT, 'apps/cli/dist')).renderChunk(code);
    if (isFollowed) expect(check).not.toThrow();
    else expect(check).toThrow('expected no path of a file in a bundle');
  });
});
