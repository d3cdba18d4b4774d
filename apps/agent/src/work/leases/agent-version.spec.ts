import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { decodeHeartbeat, encodeHeartbeat } from '@understudy/agent-protocol';

import { AGENT_VERSION } from './heartbeat.service.js';

it('a heartbeat reports the version in package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  expect(AGENT_VERSION).toBe(version);
  const { bytes } = encodeHeartbeat({ version: AGENT_VERSION, leases: [], freeSlots: 0 });
  expect(decodeHeartbeat(bytes).version).toBe(version);
});
