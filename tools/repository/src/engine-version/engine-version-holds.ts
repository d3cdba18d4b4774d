import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readValues, type EngineRecord, type Values } from './recorded-values.js';

const RECORD = 'libs/generator/engine-version.json';
const SOURCE = 'libs/generator/src/types/core-registry.ts';
const VERSION = /ENGINE_VERSION = '(\d+)'/;
/** If the check finds fewer values than this, the check itself is broken. The repository has many more. */
const MIN_VALUES = 100;

/**
 * Compares the current values with those recorded for the engine version.
 * @returns a summary
 * @throws Error if a recorded value changed and the version did not, or if the record is outdated
 */
export function engineVersionHolds(root: string): string {
  const recorded = readRecord(root);
  const current = readCurrent(root);
  if (recorded === undefined) throw new Error(`${RECORD} is missing; run npm run generate`);
  assertRaised(recorded, current);
  if (JSON.stringify(recorded) !== JSON.stringify(current))
    throw new Error(`${RECORD} is outdated; run npm run generate`);
  return `version ${current.version}, ${count(current.goldens)} goldens, ${count(current.assets)} model files`;
}

/**
 * Records the current values for the engine version.
 * @throws Error if a recorded value changed and the version did not
 */
export function recordEngineVersion(root: string): void {
  const recorded = readRecord(root);
  const current = readCurrent(root);
  if (recorded !== undefined) assertRaised(recorded, current);
  writeFileSync(join(root, RECORD), `${JSON.stringify(current, null, 2)}\n`);
}

/**
 * Checks that the version was raised if a recorded value changed. Additional values need no new version.
 * @throws Error with the first ten changed values
 */
function assertRaised(recorded: EngineRecord, current: EngineRecord): void {
  const changed = [
    ...changedNames(recorded.goldens, current.goldens),
    ...changedNames(recorded.assets, current.assets),
  ];
  const raisedBy = Number(current.version) - Number(recorded.version);
  if (raisedBy > 0 || (raisedBy === 0 && changed.length === 0)) return;
  if (raisedBy < 0)
    throw new Error(
      `ENGINE_VERSION is ${current.version}, but ${RECORD} has ${recorded.version}; it must not become lower`,
    );
  const shown = changed.slice(0, 10).map((name) => `  ${name}`);
  const rest = changed.length > shown.length ? [`  and ${changed.length - shown.length} more`] : [];
  throw new Error(
    [`${changed.length} values changed under engine version ${current.version}:`, ...shown, ...rest].join(
      '\n',
    ),
  );
}

function changedNames(recorded: Values, current: Values): string[] {
  return Object.keys(recorded).filter((name) => current[name] !== recorded[name]);
}

function readRecord(root: string): EngineRecord | undefined {
  const file = join(root, RECORD);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as EngineRecord) : undefined;
}

function readCurrent(root: string): EngineRecord {
  const [, version] = VERSION.exec(readFileSync(join(root, SOURCE), 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${SOURCE}: expected a line that matches ${VERSION.source}`);
  const values = readValues(root);
  const fewest = Math.min(count(values.goldens), count(values.assets));
  if (fewest < MIN_VALUES)
    throw new Error(`expected at least ${MIN_VALUES} goldens and model files, found ${fewest}`);
  return { version, ...values };
}

function count(values: Values): number {
  return Object.keys(values).length;
}
