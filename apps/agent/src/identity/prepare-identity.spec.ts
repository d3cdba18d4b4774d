import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Outbound } from '@understudy/outbound';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { IdentityStore } from './identity-store.js';
import { prepareIdentity } from './prepare-identity.js';

const ENROLLED = {
  agent_id: 'agt_1',
  organization_id: 'org_1',
  nats_urls: ['nats://127.0.0.1:1'],
  nats_jwt: 'x',
  jwt_expires_at: '2026-01-01T00:00:00Z',
};

const key = (byte: number) => new Uint8Array(32).fill(byte);
const hex = (byte: number) => Buffer.from(key(byte)).toString('hex');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A control plane that refuses each enrolment, or answers it with the given identity. */
let answer: object | undefined;
let refusal = 401;
let server: Server;
let controlUrl: string;
beforeEach(async () => {
  answer = undefined;
  refusal = 401;
  server = createServer((_, response) => {
    response.statusCode = answer === undefined ? refusal : 200;
    response.end(JSON.stringify({ data: answer }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  server.close();
  await once(server, 'close');
});

async function prepare(
  keyFile: string,
  warn: (message: string) => void = () => undefined,
  enrolmentToken = 'us_enr_x',
) {
  const maskingKeyFile = join(folder, 'key');
  await writeFile(maskingKeyFile, keyFile);
  const configuration = {
    stateDir: folder,
    policyFile: join(folder, 'policy.yaml'),
    controlUrl,
    maskingKeyFile,
  };
  return prepareIdentity(new AgentConfiguration({ ...configuration, enrolmentToken }), new Outbound(), warn);
}

describe('the first start', () => {
  it('fails if the control plane refuses the token, and names both remedies of a lost state folder', async () => {
    await expect(prepare(hex(7))).rejects.toMatchObject({
      name: 'EnrolmentError',
      refused: true,
      message: expect.stringMatching(/restore the backup of .*, or enrol a new agent with a new token/),
    });
  });

  it('names both remedies of a lost state folder if there is no token', async () => {
    await expect(prepare(hex(7), undefined, '')).rejects.toThrow(
      /restore the backup of .*, or enrol a new agent/,
    );
  });

  it('fails if the control plane returns 404, and asks about the end of its URL', async () => {
    refusal = 404;
    await expect(prepare(hex(7))).rejects.toThrow(
      /^the control plane returned status 404: does UNDERSTUDY_CONTROL_URL end with \/v1\?$/,
    );
  });

  it('waits for a control plane that is away, and reports the reason once', async () => {
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    answer = ENROLLED;
    const warnings: string[] = [];
    const { agentId } = await prepare(hex(7), (message) => {
      warnings.push(message);
      server.listen(port, '127.0.0.1');
    });
    expect(agentId).toBe('agt_1');
    expect(warnings).toEqual([
      `the agent is not enrolled yet and will try again: cannot reach 127.0.0.1:${port}: the connection was refused; check the port, and that the server runs`,
    ]);
  });

  it.each([
    [-3_600, 'behind'],
    [3_600, 'ahead of'],
  ])('names a clock that is %i s off', async (seconds, text) => {
    server.prependListener('request', (_, response: ServerResponse) => {
      response.setHeader('date', new Date(Date.now() - seconds * 1000).toUTCString());
    });
    await expect(prepare(hex(7))).rejects.toThrow(
      new RegExp(`the clock of this machine is 3(599|600|601) s ${text} the control plane's; correct it`),
    );
  });
});

describe('a later start', () => {
  it('recommends once to remove the used token', async () => {
    answer = ENROLLED;
    const warnings: string[] = [];
    await prepare(hex(7), (message) => warnings.push(message));
    expect(warnings).toEqual([]);
    await prepare(hex(7), (message) => warnings.push(message));
    expect(warnings).toEqual([
      'this agent is enrolled: remove UNDERSTUDY_AGENT_ENROLMENT_TOKEN from its environment, or delete its file',
    ]);
  });
});

describe('an agent with a shared masking key', () => {
  it('creates its other keys itself', async () => {
    // The keys are stored before the enrolment, which the server refuses here.
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
