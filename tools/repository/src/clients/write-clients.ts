import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
type Emitter = (api: ApiModel, root: string) => Files;

const EMITTERS: readonly Emitter[] = [emitGo, emitPhp, emitPython, emitTypescript];

/** The texts of files by their path from the root of the repository. */
type Files = Readonly<Record<string, string>>;

/** Writes the types and the methods of all clients from docs/reference/openapi.json. */
export function writeClients(root: string): void {
  writeFiles(root, clientFiles(readDocument(root), root));
}

/**
 * Checks that the generated files of all clients are up to date.
 * @returns the number of files and operations
 * @throws Error that names the files that are missing, superfluous or outdated
 */
export async function clientsAreFresh(root: string): Promise<string> {
  const api = readDocument(root);
  const files = clientFiles(api, root);
  const problems = problemsOf(root, files);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${Object.keys(files).length} files, ${api.operations.length} operations`;
}

/** Returns the generated files of all clients. */
export function clientFiles(api: ApiModel, root: string): Files {
  return Object.assign({}, ...EMITTERS.map((emit) => emit(api, root))) as Files;
}

/** Writes the files, and deletes generated files of types that no longer exist. */
export function writeFiles(root: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const file of superfluousFiles(root, files)) rmSync(join(root, file));
}

/** Compares generated files with those of the repository. @returns a sentence for each file that differs */
export function problemsOf(root: string, files: Files): string[] {
  const problems = Object.entries(files).map(([file, text]) => {
    if (!existsSync(join(root, file))) return `${file} is missing`;
    return readFileSync(join(root, file), 'utf8') === text ? [] : `${file} is not what ${DOCUMENT} describes`;
  });
  return [...problems.flat(), ...superfluousFiles(root, files).map((file) => `${file} belongs to no type`)];
}

/** Returns the files in folders of generated code that no emitter writes. */
function superfluousFiles(root: string, files: Files): string[] {
  const folders = new Set(
    Object.keys(files)
      .map(dirname)
      .filter((folder) => /generated/i.test(folder) && existsSync(join(root, folder))),
  );
  return [...folders].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${folder}/${entry.name}`)
      .filter((file) => !(file in files)),
  );
}

/** Reads docs/reference/openapi.json. */
export function readDocument(root: string): ApiModel {
  return readApi(JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')) as Record<string, unknown>);
}
