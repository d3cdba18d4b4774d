import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { IdentityStore } from './identity-store.js';
import { prepareIdentity } from './prepare-identity.js';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const hex = (byte: number) => Buffer.from(key(byte)).toString('hex');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function prepare(keyFile: string) {
  const maskingKeyFile = join(folder, 'key');
  await writeFile(maskingKeyFile, keyFile);
  const controlUrl = 'http://127.0.0.1:1/v1';
  const configuration = {
    stateDir: folder,
    policyFile: join(folder, 'policy.yaml'),
    controlUrl,
    maskingKeyFile,
  };
  return prepareIdentity(new AgentConfiguration({ ...configuration, enrolmentToken: 'us_enr_x' }));
}

describe('an agent with a shared masking key', () => {
  it('creates its other keys itself', async () => {
    // The keys are stored before the enrolment, to which no server responds here.
    await expect(prepare(`${hex(7)}\n`)).rejects.toThrow();
    expect((await new IdentityStore(folder).load())?.maskingKey).toEqual(key(7));
  });

  it('refuses a masking key that differs from the stored one', async () => {
    const keys = {
      natsSeed: 'SUAEXAMPLE',
      sealing: { publicKey: key(1), privateKey: key(2) },
      modelKey: key(4),
    };
    const ids = { agentId: 'agt_1', organizationId: 'org_1', natsUrls: ['nats://127.0.0.1:1'] };
    await new IdentityStore(folder).save({ ...keys, ...ids, maskingKey: key(3) });
    expect((await prepare(hex(3))).maskingKey).toEqual(key(3));
    await expect(prepare(hex(9))).rejects.toThrow('another masking key');
  });

  it.each(['', 'abc', `${hex(7)}00`, 'z'.repeat(64)])(
    'refuses the file content %j without quoting it',
    async (text) => {
      const refusal = await prepare(text).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: 'ConfigurationError' });
      expect(await new IdentityStore(folder).load()).toBeUndefined();
    },
  );
});
