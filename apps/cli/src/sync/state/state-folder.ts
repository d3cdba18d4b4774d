import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { asFileError, fileError } from '../../cli-error.js';

/** The folder that keeps keys, private models and run records between runs. Only its owner can read it. */
export interface StateFolder {
  readonly path: string;
  /** The 32-byte key that masked values depend on. */
  readonly maskingKey: Uint8Array;
  /** The 32-byte key for private models. */
  readonly modelKey: Uint8Array;
  /** True if this call created the masking key. */
  readonly isNewKey: boolean;
}

const NAME = '.understudy';
const MASKING_KEY = 'masking.key';
const MODEL_KEY = 'models.key';

/**
 * Returns the absolute path of the state folder.
 * @param folder the folder that the user named; without it, `.understudy` in the folder of the job file
 */
export function stateFolderOf(jobFile: string, folder: string | undefined): string {
  return resolve(folder ?? join(dirname(jobFile), NAME));
}

/**
 * Opens the state folder, or creates it with new keys.
 * @param maskingKeyFile a file with a masking key to use instead of the folder's own key
 * @throws CliError if the folder or a key cannot be read or created
 */
export async function openStateFolder(path: string, maskingKeyFile?: string): Promise<StateFolder> {
  await mkdir(join(path, 'jobs'), { recursive: true, mode: 0o700 }).catch(asFileError(path));
  // The folder is often in a Git repository, and keys must not be committed.
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

/** Creates a file unless it exists. If several processes try, one of them creates the file. */
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
    throw fileError(shown, 'expected a key of 64 hexadecimal digits; create one with "openssl rand -hex 32"');
  }
  return new Uint8Array(Buffer.from(text.trim(), 'hex'));
}
