import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { asFileError, fileError } from '../../cli-error.js';

/** What outlives a run: keys, private models and how far each job file came. Readable by its owner alone. */
export interface StateFolder {
  readonly path: string;
  /** 32 bytes. */
  readonly maskingKey: Uint8Array;
  /** 32 bytes. */
  readonly modelKey: Uint8Array;
  /** The masking key was made just now. */
  readonly isNewKey: boolean;
}

const NAME = '.understudy';
const MASKING_KEY = 'masking.key';
const MODEL_KEY = 'models.key';

/** @param folder as the user named it; without it `.understudy` beside the job file */
export function stateFolderOf(jobFile: string, folder: string | undefined): string {
  return resolve(folder ?? join(dirname(jobFile), NAME));
}

/**
 * Opens the folder, or makes it with keys of its own.
 * @param maskingKeyFile a key that is shared with other machines, instead of the folder's own
 * @throws CliError
 */
export async function openStateFolder(path: string, maskingKeyFile?: string): Promise<StateFolder> {
  await mkdir(join(path, 'jobs'), { recursive: true, mode: 0o700 }).catch(asFileError(path));
  // It often stands in somebody's repository, and a key is not to be committed.
  await makeFile(join(path, '.gitignore'), '*\n');
  const ownKey = join(path, MASKING_KEY);
  const isNewKey = maskingKeyFile === undefined && !existsSync(ownKey);
  const maskingKey =
    maskingKeyFile === undefined ? await ownKeyAt(ownKey) : await readKey(maskingKeyFile, maskingKeyFile);
  return { path, maskingKey, modelKey: await ownKeyAt(join(path, MODEL_KEY)), isNewKey };
}

async function ownKeyAt(file: string): Promise<Uint8Array> {
  await makeFile(file, `${randomBytes(32).toString('hex')}\n`);
  return readKey(file, file);
}

/** Whoever comes first makes it; it is whole when it has its name. */
async function makeFile(file: string, content: string): Promise<void> {
  if (existsSync(file)) return;
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    return asFileError(file)(error);
  });
  if (handle === undefined) return;
  await writeFile(handle, content)
    .then(() => handle.sync())
    .finally(() => handle.close());
}

async function readKey(file: string, shown: string): Promise<Uint8Array> {
  const text = await readFile(file, 'utf8').catch(asFileError(shown));
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
    throw fileError(
      shown,
      'does not hold a key of 64 hexadecimal digits, as "openssl rand -hex 32" makes one',
    );
  }
  return new Uint8Array(Buffer.from(text.trim(), 'hex'));
}
