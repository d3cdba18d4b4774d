import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_VERSION } from './heartbeat.service.js';

it('AGENT_VERSION equals the version in package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  expect(AGENT_VERSION).toBe((JSON.parse(text) as { version: string }).version);
});
