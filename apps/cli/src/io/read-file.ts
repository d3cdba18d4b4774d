import { readFile } from 'node:fs/promises';

import { asFileError, fileError } from '../cli-error.js';

/** Reads and parses a JSON file, or stdin if the name is `-`. @throws CliError if it is not JSON in UTF-8 */
export async function readJsonFile(file: string): Promise<unknown> {
  const bytes = file === '-' ? await readStdin() : await readFile(file).catch(asFileError(file));
  const name = file === '-' ? 'stdin' : file;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
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
