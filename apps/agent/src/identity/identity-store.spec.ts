import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigurationError } from '../config/agent-configuration.js';
import { IdentityStore } from './identity-store.js';

let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'identity-'));
});
afterEach(() => rm(state, { recursive: true }));

const key = (byte: number) => new Uint8Array(32).fill(byte);
const KEYS = {
  natsSeed: 'SUAEXAMPLE',
  sealing: { publicKey: key(1), privateKey: key(2) },
  maskingKey: key(3),
  modelKey: key(4),
};

it('loads the identity that it saved, from a file that only its owner can read', async () => {
  const store = new IdentityStore(join(state, 'deeper'));
  const identity = { ...KEYS, agentId: 'agt_1', organizationId: 'org_1', natsUrls: ['tls://n:4222'] };
  expect(await store.load()).toBeUndefined();
  await store.save(identity);
  expect(await store.load()).toEqual(identity);
  expect((await stat(join(state, 'deeper', 'identity.json'))).mode & 0o777).toBe(0o600);
});

it('stores keys without ids before the enrolment', async () => {
  const store = new IdentityStore(state);
  await store.save(KEYS);
  expect(await store.load()).toEqual(KEYS);
});

it.each(['', '{}', '{"nats_seed":"SUA"}', 'not json'])(
  'refuses the damaged file %j and does not quote it',
  async (text) => {
    await writeFile(join(state, 'identity.json'), text);
    await expect(new IdentityStore(state).load()).rejects.toThrow(ConfigurationError);
    expect(await readFile(join(state, 'identity.json'), 'utf8')).toBe(text);
  },
);
