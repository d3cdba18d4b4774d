import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_VERSION } from './heartbeat.js';

it('AGENT_VERSION equals the version in package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { major, minor, patch } = AGENT_VERSION;
  expect(`${major}.${minor}.${patch}`).toBe((JSON.parse(text) as { version: string }).version);
});
