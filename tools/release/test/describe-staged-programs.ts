import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  checkComponents,
  writeBillOfMaterials,
  type BillOfMaterials,
  type Component,
} from '../src/documents/bill-of-materials.js';
import { licenceTexts } from '../src/documents/licence-texts.js';
import {
  filesIn,
  readManifest,
  stageProgram,
  type Program,
  type StagedProgram,
} from '../src/staging/stage-program.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Matches an import of another package, as tsc and rolldown write it. */
const IMPORT =
  /^(?:import|export|\})[^'"\n]* from ['"]([@\w][^'"]*)['"];$|^import ['"]([@\w][^'"]*)['"];$|import\('([@\w][^']*)'\)/gm;
/** A line of a comment. Packages of npm have examples of imports in comments, which a bundle keeps. */
const COMMENT_LINE = /^\s*(?:\*|\/\/).*$/gm;
const COMMIT_TIME = '2026-01-01T00:00:00Z';

/** Defines the tests of the packages of the programs, which are packed with all their dependencies. */
export function describeStagedPrograms(programs: readonly Program[]): void {
  describe.each(programs)('the package of $folder', (program: Program) => {
    const parent = mkdtempSync(join(tmpdir(), 'understudy-release-test-'));
    let staged: StagedProgram;
    let files: readonly string[];

    beforeAll(() => {
      staged = stageProgram(ROOT, program, join(parent, 'package'));
      files = filesIn(staged.folder);
    });

    afterAll(() => rmSync(parent, { recursive: true, force: true }));

    it('contains no TypeScript, no maps and no tests of ours', () => {
      const own = files.filter((file) => /^(bin|dist)\/|\/@understudy\//.test(file));
      expect(own.length).toBeGreaterThan(100);
      expect(files.filter((file) => /\.(ts|tsx|map|tsbuildinfo)$/.test(file))).toEqual([]);
      expect(own.filter((file) => /\.spec\.|\/test\/|\/src\//.test(file))).toEqual([]);
    });

    it('contains no package with an install script', () => {
      const hooks = staged.packages.filter(({ to }) => {
        const manifest = readManifest(join(staged.folder, to));
        return manifest['scripts'] !== undefined || manifest['gypfile'] !== undefined;
      });
      expect(hooks).toEqual([]);
      expect(files.filter((file) => file.endsWith('binding.gyp'))).toEqual([]);
    });

    it('contains each package once', () => {
      const sources = staged.packages.map(({ from }) => from);
      expect(sources).toEqual([...new Set(sources)]);
    });

    it('contains every package that our code imports', () => {
      const own = files.filter((file) =>
        /^dist\/.*\.js$|\/@understudy\/[^/]+\/dist\/(?!site\/).*\.js$/.test(file),
      );
      const missing = own.flatMap((file) => {
        const path = join(staged.folder, file);
        const text = readFileSync(path, 'utf8').replaceAll(COMMENT_LINE, '');
        const imports = [...text.matchAll(IMPORT)];
        return imports
          .map(([, ...names]) => names.find((name) => name !== undefined) ?? '')
          .filter((name) => !isBuiltin(name) && !isFound(path, name))
          .map((name) => `${file}: ${name}`);
      });
      expect(missing).toEqual([]);
    });

    it('lists its components in a bill of materials, each with an allowed licence', async () => {
      const bill = JSON.parse(await writeBillOfMaterials(staged, COMMIT_TIME)) as BillOfMaterials;
      expect(bill.metadata).toMatchObject({
        timestamp: COMMIT_TIME,
        component: { name: readManifest(staged.folder).name },
      });
      const component = bill.components[0] as Component;
      expect(() => checkComponents(bill.components.slice(1), staged)).toThrow('npm sbom does not list it');
      const unknown = { ...component, name: 'unknown' };
      expect(() => checkComponents([...bill.components, unknown], staged)).toThrow('which is not packed');
      const proprietary = { ...component, licenses: [{ license: { id: 'BUSL-1.1' } }] };
      expect(() => checkComponents([proprietary, ...bill.components.slice(1)], staged)).toThrow(
        'the licence BUSL-1.1 is not in ALLOWED_LICENCES',
      );
      const unlicensed = { ...component, licenses: [] };
      expect(() => checkComponents([unlicensed, ...bill.components.slice(1)], staged)).toThrow('found none');
    });

    it('names each package of others in its licences', () => {
      const text = licenceTexts(staged);
      const others = staged.packages.filter(({ from }) => from.includes('node_modules/'));
      const missing = others
        .map(({ to }) => readManifest(join(staged.folder, to)))
        .filter(({ name, version }) => !text.includes(`\n${name} ${version}\n`));
      expect(missing).toEqual([]);
    });

    it('prints its version, outside of the checkout', () => {
      const output = execFileSync(process.execPath, [binOf(staged), '--version'], {
        cwd: parent,
        encoding: 'utf8',
      });
      expect(output).toBe(`${staged.version}\n`);
    });

    it('refuses an old Node.js with one sentence, before it loads anything else', () => {
      rmSync(join(staged.folder, 'dist'), { recursive: true });
      const refused = runAs('20.18.3', binOf(staged));
      expect(refused).toMatchObject({ status: 1, stdout: '' });
      expect(refused.stderr).toMatch(
        /^[\w-]+: expected Node\.js 20\.19, 22\.12 or newer, found 20\.18\.3; install .*\n$/,
      );
    });
  });
}

/** Runs a command with `--version` in this Node.js, under another version number. */
export function runAs(version: string, command: string) {
  const disguise = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
  const folder = mkdtempSync(join(tmpdir(), 'understudy-release-test-'));
  try {
    writeFileSync(join(folder, 'disguise.cjs'), disguise);
    const args = ['--require', join(folder, 'disguise.cjs'), command, '--version'];
    return spawnSync(process.execPath, args, { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function binOf({ folder }: StagedProgram): string {
  const [file] = Object.values(readManifest(folder)['bin'] as Record<string, string>);
  return join(folder, file ?? '');
}

function isFound(from: string, name: string): boolean {
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  return (createRequire(from).resolve.paths(packageName) ?? []).some(
    (folder) => folder.includes('/package/') && filesExist(join(folder, packageName)),
  );
}

function filesExist(folder: string): boolean {
  try {
    return readManifest(folder).name !== '';
  } catch {
    return false; // the package is not in this folder
  }
}
