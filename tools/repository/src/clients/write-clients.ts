import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { ApiModel } from './api-model.js';
import { emitGo } from './emit-go.js';
import { emitPhp } from './emit-php.js';
import { emitPython } from './emit-python.js';
import { emitTypescript } from './emit-typescript.js';
import { readApi } from './read-api.js';

const DOCUMENT = 'docs/reference/openapi.json';

/**
 * Writes the generated files of one client.
 * @returns the text of each file by its path from the root of the repository, formatted as its language demands
 */
type Emitter = (api: ApiModel, root: string) => Readonly<Record<string, string>>;

const EMITTERS: readonly Emitter[] = [emitGo, emitPhp, emitPython, emitTypescript];

/** Writes the types and the methods of all clients from docs/reference/openapi.json. */
export function writeClients(root: string): void {
  for (const [file, text] of Object.entries(clientFiles(root))) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/**
 * Checks that the generated files of all clients are up to date.
 * @returns the number of files and operations
 * @throws Error if a file differs from the generated one
 */
export async function clientsAreFresh(root: string): Promise<string> {
  const files = Object.entries(clientFiles(root));
  for (const [file, text] of files)
    if (readFileSync(join(root, file), 'utf8') !== text)
      throw new Error(`${file} is not what docs/reference/openapi.json describes`);
  return `${files.length} files, ${readDocument(root).operations.length} operations`;
}

function clientFiles(root: string): Record<string, string> {
  const api = readDocument(root);
  return Object.assign({}, ...EMITTERS.map((emit) => emit(api, root))) as Record<string, string>;
}

/** Reads docs/reference/openapi.json. */
export function readDocument(root: string): ApiModel {
  return readApi(JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')) as Record<string, unknown>);
}
