import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ENGINE_VERSION } from '@understudy/generator';

import { engineVersionHolds, recordEngineVersion } from '../src/engine-version/engine-version-holds.js';

const NUMBERS = Array.from({ length: 120 }, (_, i) => i);
const GOLDENS = 'libs/generator/test/golden/__snapshots__/things.spec.ts.snap';
const asset = (i: number) => `libs/builtin-models/assets/en_US/model_${i}.ngram`;

describe('the check of the engine version', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'understudy-engine-version-'));
    setVersion('7');
    writeGoldens(new Map(NUMBERS.map((i) => [`golden \\\`${i}\\\``, `"value ${i}"`])));
    for (const i of NUMBERS) write(asset(i), `model ${i}`);
    recordEngineVersion(root);
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('passes if no value changed', () => {
    expect(engineVersionHolds(root)).toBe('version 7, 120 goldens, 120 model files');
  });

  it.each<[string, () => void, string]>([
    ['a changed golden', () => changeGolden(3, '"another"'), 'things: golden \\`3\\`'],
    ['a missing golden', () => changeGolden(3, undefined), 'things: golden \\`3\\`'],
    ['a changed built-in model', () => write(asset(5), 'model 5 trained again'), 'en_US/model_5.ngram'],
    ['a missing built-in model', () => rmSync(join(root, asset(5))), 'en_US/model_5.ngram'],
  ])('refuses %s under the same version, and does not record it', (_, plant, name) => {
    plant();
    const message = `1 values changed under engine version 7:\n  ${name}`;
    expect(() => engineVersionHolds(root)).toThrow(message);
    expect(() => recordEngineVersion(root)).toThrow(message);
    setVersion('8');
    expect(() => engineVersionHolds(root)).toThrow('is outdated');
    recordEngineVersion(root);
    expect(engineVersionHolds(root)).toContain('version 8');
  });

  it('requires a new record, but no new version, for additional values', () => {
    write(asset(500), 'a new model');
    expect(() => engineVersionHolds(root)).toThrow('is outdated');
    recordEngineVersion(root);
    expect(engineVersionHolds(root)).toContain('version 7, 120 goldens, 121 model files');
  });

  it('refuses a version below the recorded one', () => {
    setVersion('6');
    expect(() => engineVersionHolds(root)).toThrow('ENGINE_VERSION is 6');
  });

  it('fails if it reads too few values', () => {
    writeGoldens(new Map());
    expect(() => engineVersionHolds(root)).toThrow('expected at least 100 goldens and model files, found 0');
  });

  function changeGolden(at: number, value: string | undefined): void {
    const goldens = new Map(NUMBERS.map((i) => [`golden \\\`${i}\\\``, `"value ${i}"`]));
    if (value === undefined) goldens.delete(`golden \\\`${at}\\\``);
    else goldens.set(`golden \\\`${at}\\\``, value);
    writeGoldens(goldens);
  }

  function writeGoldens(goldens: ReadonlyMap<string, string>): void {
    const exports = [...goldens].map(([name, value]) => `exports[\`${name}\`] = \`\n${value}\n\`;`);
    write(GOLDENS, ['// Jest Snapshot v1', ...exports, ''].join('\n\n'));
  }

  function setVersion(version: string): void {
    write('libs/generator/src/types/core-registry.ts', `export const ENGINE_VERSION = '${version}';\n`);
  }

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
});

it('the engine version of this repository is recorded', () => {
  expect(engineVersionHolds(join(__dirname, '../../..'))).toContain(`version ${ENGINE_VERSION}, `);
});
