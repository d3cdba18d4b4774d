import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readValues, type EngineRecord, type Values } from './recorded-values.js';

const RECORD = 'libs/generator/engine-version.json';
const SOURCE = 'libs/generator/src/types/core-registry.ts';
const VERSION = /ENGINE_VERSION = '(\d+)'/;
/** Far below what there is: a check that reads nothing finds nothing. */
const VALUES_AT_LEAST = 100;

/** A part of `npm run check`. @throws Error when a value changed under the recorded version, or the record is stale */
export function engineVersionHolds(root: string): string {
  const recorded = readRecord(root);
  const current = readCurrent(root);
  if (recorded === undefined) throw new Error(`${RECORD} is missing`);
  assertRaised(recorded, current);
  if (JSON.stringify(recorded) !== JSON.stringify(current)) throw new Error(`${RECORD} is stale`);
  return `version ${current.version}, ${count(current.goldens)} goldens, ${count(current.assets)} model files`;
}

/** Writes what the version stands for. @throws Error when a recorded value changed and the version did not */
export function recordEngineVersion(root: string): void {
  const recorded = readRecord(root);
  const current = readCurrent(root);
  if (recorded !== undefined) assertRaised(recorded, current);
  writeFileSync(join(root, RECORD), `${JSON.stringify(current, null, 2)}\n`);
}

/** New values need no new version: nobody has data of them yet. */
function assertRaised(recorded: EngineRecord, current: EngineRecord): void {
  const changed = [
    ...changedNames(recorded.goldens, current.goldens),
    ...changedNames(recorded.assets, current.assets),
  ];
  const raisedBy = Number(current.version) - Number(recorded.version);
  if (raisedBy > 0 || (raisedBy === 0 && changed.length === 0)) return;
  if (raisedBy < 0)
    throw new Error(
      `ENGINE_VERSION is ${current.version}, and ${RECORD} records ${recorded.version} already`,
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
  if (version === undefined) throw new Error(`${SOURCE} has no line that matches ${VERSION.source}`);
  const values = readValues(root);
  const fewest = Math.min(count(values.goldens), count(values.assets));
  if (fewest < VALUES_AT_LEAST) throw new Error(`only ${fewest} goldens or model files were read`);
  return { version, ...values };
}

function count(values: Values): number {
  return Object.keys(values).length;
}
