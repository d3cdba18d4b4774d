import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeBillOfMaterials } from './documents/bill-of-materials.js';
import { licenceTexts } from './documents/licence-texts.js';
import { checksumLine, releaseNotes, type ReleasedFile } from './documents/announcement.js';
import { run } from './run-program.js';
import { PROGRAMS, readManifest, stageProgram, type Program } from './staging/stage-program.js';

const SUMS = 'SHA256SUMS';

/** A file of a release with its size in bytes. */
export type PackedFile = ReleasedFile & { readonly size: number };

/** A release in a folder. */
export interface Release {
  /** An absolute path. */
  readonly folder: string;
  readonly version: string;
  /** All files that SHA256SUMS lists, in the order of their names. */
  readonly files: readonly PackedFile[];
}

/**
 * Makes all files of a release in a folder. The folder is replaced.
 * @param root the checkout, installed and built
 * @throws Error if the folder contains something other than a release, or a check of a package fails
 */
export async function packRelease(
  root: string,
  folder: string,
  programs: readonly Program[] = PROGRAMS,
): Promise<Release> {
  const { version } = readManifest(root);
  emptyFolder(folder);
  const timestamp = (await run('git', ['log', '-1', '--format=%cI'], { cwd: root })).trim();
  for (const program of programs) await packProgram(root, program, folder, timestamp);
  await packDeployment(root, folder);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), releaseNotes(changelog, version, filesOf(folder)));
  const files = filesOf(folder);
  writeFileSync(join(folder, SUMS), files.map((file) => `${checksumLine(file)}\n`).join(''));
  return { folder, version, files };
}

/** Writes the tarball of a program, its bill of materials and its licences. */
async function packProgram(root: string, program: Program, folder: string, timestamp: string): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'understudy-release-'));
  try {
    const staged = stageProgram(root, program, join(parent, 'package'));
    const name = join(folder, program.name);
    writeFileSync(`${name}.cdx.json`, await writeBillOfMaterials(staged, timestamp));
    writeFileSync(`${name}.licences.txt`, licenceTexts(staged));
    await writeTarball(parent, 'package', `${name}-${staged.version}.tgz`);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Packs the Helm charts, and copies the manifests for Kubernetes and the Dockerfiles. */
async function packDeployment(root: string, folder: string): Promise<void> {
  const charts = join(root, 'deploy/helm');
  for (const chart of entriesOf(charts)) {
    if (!existsSync(join(charts, chart, 'Chart.yaml'))) continue;
    await writeTarball(charts, chart, join(folder, `helm-${chart}-${readManifest(root).version}.tgz`));
  }
  const images = join(root, 'deploy/docker');
  for (const name of entriesOf(images).filter((entry) => entry.endsWith('.Dockerfile')))
    cpSync(join(images, name), join(folder, name));
  const manifests = join(root, 'deploy/kubernetes');
  for (const name of entriesOf(manifests).filter((entry) => entry.endsWith('.yaml')))
    cpSync(join(manifests, name), join(folder, `kubernetes-${name}`));
}

/**
 * Writes a tarball whose bytes depend only on names, contents and permissions to execute. It needs the tar of GNU.
 * `npm pack` is not used, because it depends on the version of npm and leaves out packages that only peers need.
 */
async function writeTarball(parent: string, entry: string, file: string): Promise<void> {
  const fixed = ['--sort=name', '--mtime=@499162500', '--owner=0', '--group=0', '--numeric-owner'];
  const format = ['--format=gnu', '--mode=u=rwX,go=rX', '--use-compress-program=gzip -9n'];
  await run('tar', ['--create', '--file', file, '--directory', parent, ...fixed, ...format, entry], {
    env: { ...process.env, LC_ALL: 'C' },
  });
}

function emptyFolder(folder: string): void {
  const entries = entriesOf(folder);
  if (entries.length > 0 && !entries.includes(SUMS))
    throw new Error(
      `${folder}: expected an empty folder or an earlier release; choose another folder with --out`,
    );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, SUMS), ''); // marks the folder as a release, also if this run is interrupted
}

function entriesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function filesOf(folder: string): readonly PackedFile[] {
  return entriesOf(folder)
    .filter((name) => name !== SUMS)
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      return { name, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
    });
}
