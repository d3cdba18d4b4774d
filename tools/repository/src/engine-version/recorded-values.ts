import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SHA-256 of each golden value and each file of a built-in model, by name. */
export type Values = Readonly<Record<string, string>>;

/** An engine version and the values that it generates. */
export interface EngineRecord {
  readonly version: string;
  readonly goldens: Values;
  readonly assets: Values;
}

const GOLDENS = 'libs/generator/test/golden/__snapshots__';
const ASSETS = 'libs/builtin-models/assets';
/** A file with metadata for people. It does not affect generated values, so its hash is not recorded. */
const INDEX = 'index.json';
const SNAPSHOT = /^exports\[`((?:\\.|[^`\\])*)`\] = `((?:\\.|[^`\\])*)`;$/gm;

/** Reads the goldens and the built-in models of the tree at `root`. */
export function readValues(root: string): Omit<EngineRecord, 'version'> {
  const goldens = filesUnder(join(root, GOLDENS)).flatMap((file) => {
    const text = readFileSync(join(root, GOLDENS, file), 'utf8');
    return [...text.matchAll(SNAPSHOT)].map(
      ([, name = '', value = '']) =>
        [`${file.replace('.spec.ts.snap', '')}: ${name}`, hashOf(value)] as const,
    );
  });
  const assets = filesUnder(join(root, ASSETS))
    .filter((file) => file !== INDEX)
    .map((file) => [file, hashOf(readFileSync(join(root, ASSETS, file)))] as const);
  return { goldens: Object.fromEntries(goldens), assets: Object.fromEntries(assets) };
}

/** Returns the paths of all files in a folder, relative to it and sorted. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
