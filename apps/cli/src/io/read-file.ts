import { parseExactJson, ROUNDED, roundedNumbers } from '@understudy/expression';
import { fieldPath } from '@understudy/sync-job';
import { readFile } from 'node:fs/promises';

import { asFileError, fileError } from '../cli-error.js';

/**
 * Reads and parses a JSON file, or stdin if the name is `-`. Numbers that a double would change keep their digits.
 * @throws CliError if it is not JSON in UTF-8, or has a number with too many digits
 */
export async function readJsonFile(file: string): Promise<unknown> {
  const bytes = file === '-' ? await readStdin() : await readFile(file).catch(asFileError(file));
  const name = file === '-' ? 'stdin' : file;
  const { value, rounded } = parse(bytes, name);
  if (rounded === undefined) return value;
  const path = rounded.reduce<string>(fieldPath, '');
  throw fileError(name, `${path}: ${ROUNDED}`);
}

function parse(bytes: Uint8Array, name: string) {
  try {
    const value = parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { value, rounded: roundedNumbers(value)[0] };
  } catch (error) {
    // The stack has room for thousands of levels, and no valid file has more than a few dozen.
    if (error instanceof RangeError) throw fileError(name, 'expected JSON with fewer nested levels');
    // Takes only the position from the parser's message, because the message quotes the file.
    const at = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    throw fileError(
      name,
      `expected JSON in UTF-8${at === undefined ? '' : `, found an error at character ${at}`}`,
    );
  }
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
