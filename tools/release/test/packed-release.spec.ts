import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packRelease, type Release } from '../src/pack-release.js';
import { filesIn, PROGRAMS, readManifest } from '../src/staging/stage-program.js';

jest.setTimeout(300_000); // packs a release, and installs it

const ROOT = join(import.meta.dirname, '../../..');
/** The smallest package, to save time. */
const SMALLEST = PROGRAMS.filter(({ name }) => name === 'understudy-cli');
const folder = mkdtempSync(join(tmpdir(), 'understudy-release-test-'));
let release: Release;

beforeAll(async () => {
  release = await packRelease(ROOT, join(folder, 'release'), SMALLEST);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('has the same bytes of all charts when the same commit is packed again', async () => {
    const [one, other] = [
      await packRelease(ROOT, join(folder, 'one'), []),
      await packRelease(ROOT, join(folder, 'other'), []),
    ];
    expect(one.files.filter(({ name }) => name.endsWith('.tgz')).length).toBeGreaterThan(0);
    expect(other.files).toEqual(one.files);
  });

  it('replaces an earlier release, but no other folder', async () => {
    writeFileSync(join(folder, 'note.txt'), 'a file of somebody');
    await expect(packRelease(ROOT, folder, [])).rejects.toThrow(
      'expected an empty folder or an earlier release',
    );
    cpSync(release.folder, join(folder, 'again'), { recursive: true });
    expect((await packRelease(ROOT, join(folder, 'again'), [])).files.map(({ name }) => name)).not.toContain(
      'understudy-cli.cdx.json',
    );
  });

  it('names the packages and their checksums in the announcement', () => {
    const text = readFileSync(join(release.folder, 'RELEASE-NOTES.md'), 'utf8');
    const tarball = release.files.find(({ name }) => name === `understudy-cli-${release.version}.tgz`);
    expect(text).toContain(`${tarball?.sha256}  ${tarball?.name}`);
    expect(text).toContain(`npm install --global ./${tarball?.name}`);
    expect(text).not.toMatch(/\]\((?!https:)/);
  });

  it('has the version of every project of the checkout', () => {
    const manifests = execFileSync('git', ['ls-files', '*/package.json'], { cwd: ROOT, encoding: 'utf8' });
    const others = manifests
      .trim()
      .split('\n')
      .map((file) => readManifest(join(ROOT, file, '..')))
      .filter(({ name, version }) => name.startsWith('@understudy/') && version !== release.version);
    expect(others).toEqual([]);
  });

  it('is refused by sha256sum and by npm after a changed byte', () => {
    const broken = join(folder, 'broken');
    cpSync(release.folder, broken, { recursive: true });
    expect(checksums(broken).status).toBe(0);
    const file = join(broken, `understudy-cli-${release.version}.tgz`);
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle);
    writeFileSync(file, bytes);
    expect(checksums(broken)).toMatchObject({ status: 1, stdout: expect.stringContaining('.tgz: FAILED') });
    expect(install(broken, join(folder, 'broken-prefix')).status).not.toBe(0);
  });
});

describe('an installation', () => {
  const prefix = join(folder, 'prefix');
  let output: ReturnType<typeof install>;

  beforeAll(() => {
    output = install(release.folder, prefix);
  });

  it('needs no registry, no cache and no scripts', () => {
    expect(output).toMatchObject({ status: 0, stderr: '' });
    expect(output.stdout).toMatch(/^\s*added 1 package in \S+\s*$/);
    const version = execFileSync(join(prefix, 'bin/understudy'), ['--version'], { encoding: 'utf8' });
    expect(version).toBe(`${release.version}\n`);
  });

  it('is complete after an interrupted run is repeated', () => {
    const complete = contents(prefix);
    // A killed npm leaves some files complete, some missing and one shortened, and no link to the command.
    const installed = join(prefix, 'lib/node_modules/@understudy/cli');
    const files = filesIn(installed);
    for (const file of files.slice(files.length >> 1)) rmSync(join(installed, file));
    truncateSync(join(installed, files[0] ?? ''), 1);
    rmSync(join(prefix, 'bin'), { recursive: true });
    expect(install(release.folder, prefix).status).toBe(0);
    expect(contents(prefix)).toEqual(complete);
  });

  it('leaves no file after npm uninstall', () => {
    execFileSync('npm', ['uninstall', '--global', '--offline', '--prefix', prefix, '@understudy/cli']);
    expect(contents(prefix)).toEqual({});
  });
});

function install(from: string, prefix: string) {
  const tarball = join(from, `understudy-cli-${release.version}.tgz`);
  const options = [
    '--offline',
    '--ignore-scripts',
    '--cache',
    join(folder, 'empty-cache'),
    '--prefix',
    prefix,
  ];
  return spawnSync('npm', ['install', '--global', ...options, tarball], { encoding: 'utf8' });
}

/** Returns the checksum of each file and link of a prefix, by path. */
function contents(prefix: string): Record<string, string> {
  const files = readdirSync(prefix, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

function checksums(from: string) {
  return spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: from, encoding: 'utf8' });
}
