import fc from 'fast-check';
import { encodeCommand } from '@understudy/agent-protocol';
import { generateKeyPair } from '@understudy/agent-protocol/sealed-box';
import { waitFor } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { testOffer } from '../harness/test-offer.js';

/** Integers and decimals of 18 to 60 significant digits, which no double prints. */
const digits = fc.stringMatching(/^[1-9][0-9]{16,58}[1-9]$/);
const longNumber = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.option(fc.nat(70)))
  .map(([sign, text, scale]) => {
    if (scale === null || scale === 0) return sign + text;
    const padded = text.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  });
const longNumbers = fc.array(longNumber, { minLength: 1, maxLength: 20 });
const RUNS = { numRuns: 8, endOnFailure: true };

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const post = async (path: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await plane.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  if (response.status >= 300) throw new Error(response.text);
  return response;
};
const idOf = ({ body }: { body: unknown }) => (body as { data: { id: string } }).data.id;

/** A schema with one constant for each number, at the top and inside an object. */
const schemaOf = (numbers: readonly string[]): string => {
  const generators = numbers.map(
    (number, i) => `"n${i}":{"type":"list","values":[${number}]},"o${i}":{"output":{"deep":[${number}]}}`,
  );
  const output = numbers.flatMap((_, i) => [`"n${i}"`, `"o${i}"`]);
  return `{"generators":{${generators.join(',')}},"output":[${output.join(',')}]}`;
};
const recordOf = (numbers: readonly string[]): string =>
  `{${numbers.map((number, i) => `"n${i}":${number},"o${i}":{"deep":[${number}]}`).join(',')}}`;

describe('a number that no double prints', () => {
  it('keeps its digits in every format of records', async () => {
    const csv = (numbers: readonly string[]) =>
      numbers.map((number) => `${number},"{""deep"":[${number}]}"`).join(',');
    await fc.assert(
      fc.asyncProperty(longNumbers, async (numbers) => {
        for (const [format, expected] of [
          ['json', `"records":[${recordOf(numbers)}]`],
          ['ndjson', `${recordOf(numbers)}\n`],
          ['csv', `\r\n${csv(numbers)}\r\n`],
        ] as const) {
          const body = `{"count":1,"format":"${format}","schema":${schemaOf(numbers)}}`;
          expect((await post('/v1/generate', body)).text).toContain(expected);
        }
      }),
      RUNS,
    );
  });

  it('keeps its digits in a mock endpoint, its description, and on a server that reads it from the database', async () => {
    const peer = await plane.startPeer();
    let made = 0;
    await fc
      .assert(
        fc.asyncProperty(longNumbers, async (numbers) => {
          const schema = schemaOf(numbers);
          const wrapper = `{"cursor":[${numbers.join(',')}],"data":"{{records}}","text":"{{at(records, 0).n0}}"}`;
          const path = `/exact/${(made += 1)}`;
          const request = `{"path":"${path}","method":"GET","schema":${schema},"response":{"count":1,"wrapper":${wrapper}}}`;
          const key = { 'idempotency-key': `exact-${made}` };
          const created = await post('/v1/mock/endpoints', request, key);
          const replayed = await post('/v1/mock/endpoints', request, key);
          const id = idOf(created);
          const described = await plane.request(`/v1/mock/endpoints/${id}`);
          for (const { text } of [created, replayed, described]) {
            expect(text).toContain(`"schema":${schema}`);
            expect(text).toContain(`"wrapper":${wrapper}`);
          }
          for (const at of [plane.url, peer.url]) {
            const { text } = await plane.request(`/mock/${id}${path}`, { token: null, at });
            expect(text).toBe(
              `{"cursor":[${numbers.join(',')}],"data":[${recordOf(numbers)}],"text":${numbers[0]}}`,
            );
          }
          await plane.request(`/v1/mock/endpoints/${id}`, { method: 'DELETE' });
        }),
        RUNS,
      )
      .finally(() => peer.stop());
  });

  it('keeps its digits in a composition, its records and its defaults', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(longNumber, longNumber, async (constant, initial) => {
        const name = `@exact/numbers:n${(made += 1)}`;
        const params = `"params":{"given":{"type":"any","default":${initial}}}`;
        const definition = `{"name":"${name}","version":"1.0.0",${params},"output":{"a":${constant},"b":"{{given}}"}}`;
        const registered = await post('/v1/generators', definition);
        const described = await plane.request(`/v1/generators/${encodeURIComponent(name)}`);
        for (const { text } of [registered, described]) {
          expect(text).toContain(`"output":{"a":${constant},"b":"{{given}}"}`);
          expect(text).toContain(params);
        }
        const schema = `{"generators":{"it":{"use":"${name}"}},"output":["it"]}`;
        const { text } = await post('/v1/generate', `{"count":1,"format":"ndjson","schema":${schema}}`);
        expect(text).toBe(`{"it":{"a":${constant},"b":${initial}}}\n`);
        await plane.request(`/v1/generators/${encodeURIComponent(name)}`, { method: 'DELETE' });
      }),
      RUNS,
    );
  });

  it('keeps its digits in the rules of a job, in its definition, and in the command to an agent', async () => {
    const agentId = await plane.addAgent({ sealingKey: (await generateKeyPair()).publicKey });
    const link = plane.app.get(AgentLinkService);
    const leases = plane.app.get(WorkLeasesService, { strict: false });
    const offer = testOffer({ capabilities: ['exact_numbers'] });
    const sent: string[] = [];
    const send = jest.spyOn(link, 'send').mockImplementation((_, command) => {
      sent.push(Buffer.from(encodeCommand('id', command)).toString());
      return Promise.resolve();
    });
    await fc.assert(
      fc.asyncProperty(longNumber, async (number) => {
        const rule = `{"type":"svc","algorithm":"sequence","nullable":0,"params":{}}`;
        const list = `{"type":"list","values":[${number},{"deep":${number}}]}`;
        const databases = [
          '"source":{"type":"postgresql","connection_string":"agent:shop_production"}',
          '"target":{"type":"postgresql","connection_string":"agent:shop_staging"}',
        ];
        const tables = `"tables":[{"name":"t","columns":{"a":${rule},"b":${list}}}]`;
        const id = idOf(await post('/v1/sync/jobs', `{"name":"j",${databases.join(',')},${tables}}`));
        const [row] = await plane.query('SELECT definition::text AS json FROM sync_jobs WHERE id = $1', [id]);
        expect(row?.['json']).toContain(list);
        await leases.heartbeat(agentId, { offer, freeSlots: 100, leases: [], version: '0.1.0' });
        const command = await waitFor('the command', () =>
          Promise.resolve(sent.find((each) => each.includes(id))),
        );
        expect(command).toContain(list);
      }),
      { ...RUNS, numRuns: 3 },
    );
    send.mockRestore();
  });
});
