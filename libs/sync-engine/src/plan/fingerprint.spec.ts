import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_VERSION } from './fingerprint.js';

it('keeps ENGINE_VERSION equal to the version in package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { major, minor, patch } = ENGINE_VERSION;
  expect(`${major}.${minor}.${patch}`).toBe((JSON.parse(text) as { version: string }).version);
});
