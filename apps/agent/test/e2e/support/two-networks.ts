import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NgramTrainer } from '@understudy/ngram';
import {
  API_PORT,
  CONTROL_ADDRESS,
  DATABASE_OWNER,
  DATABASES,
  describeUnless,
  findPlaintext,
  LINK,
  NetworkNamespace,
  PacketCapture,
  PROXY_PORT,
  tcpStreams,
  TwoNetworks,
  waitFor,
  WEBSOCKET_PORT,
  type AllowedPlaintext,
  type Packet,
} from '@understudy/testing';
import { Client } from 'pg';

import { Canaries } from './canaries.js';
import { NatsRecorder } from './nats-recorder.js';
import { RecordingApi, type JobView, type SnapshotOutcome } from './sync-over-rest.js';
import { websocketData } from './websocket-frames.js';

export type Way = TwoNetworks['options']['way'];

/** Servers that the agent's network may contact, with everything that may cross the link before TLS. */
const ALLOWED: Record<Way, readonly AllowedPlaintext[]> = {
  'two-ports': [
    { port: 443 },
    // nats-server 2.9 cannot begin with TLS: it introduces itself first.
    { port: 4222, received: /^INFO \{[^\r\n]*"tls_required":true[^\r\n]*\} *\r\n/ },
  ],
  proxy: [
    {
      port: PROXY_PORT,
      sent: /^CONNECT understudy\.example\.com:443 HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)*\r\n/,
      received: /^HTTP\/1\.1 200 Connection established\r\n\r\n/,
    },
  ],
};

const ROWS = 20;
const AGENT = 'agent';

/**
 * Defines the tests of one way between two networks. Runs the control plane and an agent over TLS, and records the link
 * from the first packet. Uses the commands and the nginx configuration of docs/guides/connect-an-agent.md.
 */
export function describeNetworks(way: Way): void {
  describeUnless(NetworkNamespace.whyNotPossible())(
    `an agent in another network, by the way "${way}"`,
    () => {
      const canaries = new Canaries();
      let networks: TwoNetworks;
      let api: RecordingApi;
      let nats: NatsRecorder;
      let job: JobView;
      let taken: SnapshotOutcome;
      let restored: SnapshotOutcome;
      let listening: string;
      let link: Packet[];
      let behindTls: Packet[];
      const results: { masked: unknown[]; restored: unknown[] } = { masked: [], restored: [] };

      beforeAll(async () => {
        networks = await TwoNetworks.open({ way });
        const { control, customer, folder } = networks;
        await plant();
        await customer.useLeastPrivileges();
        const linkCapture = await PacketCapture.start(
          customer.site.namespace,
          LINK,
          join(folder, 'link.pcap'),
        );
        const ports = ['tcp', 'port', String(API_PORT), 'or', 'tcp', 'port', String(WEBSOCKET_PORT)];
        const file = join(folder, 'behind.pcap');
        const behindCapture = await PacketCapture.start(control.site.namespace, 'lo', file, ports);
        await control.startControlPlane();
        const { hostname: name, ca, agentAccount } = control.natsAccess;
        nats = await NatsRecorder.start(await control.site.expose(4222), name, ca, agentAccount);
        api = new RecordingApi(`${control.origin}/v1`, control.apiToken);

        await startAgent(control.enrolmentToken());
        uploadModel();
        job = await api.sync({
          source: `agent:${DATABASES.source}`,
          target: `agent:${DATABASES.target}`,
          tables: [
            {
              name: 'customers',
              columns: {
                name: { generator: 'custom/letters' },
                email: { generator: 'template', pattern: '{{uuid}}@example.test' },
                note: { generator: 'template', pattern: 'a note' },
              },
            },
          ],
        });
        taken = await api.snapshot(`agent:${DATABASES.source}`);
        restored = await api.restore(taken.id, `agent:${DATABASES.restored}`);
        await customer.stopAgent(AGENT);
        await startAgent(); // an enrolled agent renews its credential at its start
        listening = customer.site.namespace.run('ss', '-Htulnp');
        await revoke();
        results.masked = await rows('target');
        results.restored = await rows('restored');
        await customer.stopAgent(AGENT);
        link = await linkCapture.stop();
        behindTls = await behindCapture.stop();
      }, 300_000); // a job, a snapshot and a restore, and three starts of programs

      afterAll(async () => {
        await nats?.stop();
        await networks?.close();
      });

      async function plant(): Promise<void> {
        const values = Array.from({ length: ROWS }, (_, id) =>
          [id, ...['Name', 'Mail', 'Note'].map((label) => `'${canaries.text(label)}'`)].join(', '),
        );
        const table = 'CREATE TABLE customers (id int PRIMARY KEY, name text, email text, note text)';
        await query(
          'source',
          `SET ROLE ${DATABASE_OWNER}; ${table}; INSERT INTO customers VALUES (${values.join('), (')})`,
        );
      }

      async function query(database: keyof typeof DATABASES, sql: string): Promise<unknown[]> {
        const client = new Client({ connectionString: networks.customer.url(database) });
        await client.connect();
        try {
          return (await client.query<Record<string, unknown>>(sql)).rows;
        } finally {
          await client.end();
        }
      }

      function rows(database: keyof typeof DATABASES): Promise<unknown[]> {
        return query(database, 'SELECT name, email, note FROM customers ORDER BY id');
      }

      async function startAgent(token?: string): Promise<void> {
        const since = Date.now();
        const settings: Record<string, string> =
          token === undefined ? {} : { UNDERSTUDY_AGENT_ENROLMENT_TOKEN: token };
        await networks.customer.startAgent(AGENT, settings, async () => {
          const { status, last_seen_at: seen } = (await agents())[0] ?? {};
          if (status !== 'live' || Date.parse(seen ?? '') < since) throw new Error(`the agent is ${status}`);
        });
      }

      async function agents(): Promise<{ id: string; status: string; last_seen_at: string | null }[]> {
        const { data } = (await api.call('GET', '/agents')).body as { data?: { agents?: never[] } };
        return data?.agents ?? [];
      }

      /** Uploads a model from the customer's network, as a user there does. Its file is larger than 1 MB. */
      function uploadModel(): void {
        const file = join(networks.folder, 'letters.ngram');
        writeFileSync(file, largeModel());
        const { customer, control } = networks;
        const answer = customer.curl(
          '/models',
          ...['--header', `Authorization: Bearer ${control.apiToken}`, '--write-out', '\n%{http_code}'],
          ...['--form', 'name=letters', '--form', `file=@${file}`],
        );
        expect(answer).toMatch(/\n201$/);
      }

      async function revoke(): Promise<void> {
        const [agent] = await agents();
        expect((await api.call('DELETE', `/agents/${agent?.id}`)).status).toBe(200);
        await waitFor('the agent to log that it is refused', async () =>
          /revoked|authorization violation/i.test(readFileSync(networks.customer.logOf(AGENT), 'utf8')),
        );
      }

      it('ran a masked job with an uploaded model, a snapshot, a restore and a revocation', async () => {
        expect([job.status, job.error, job.models.map(({ name }) => name)]).toEqual([
          'completed',
          null,
          ['custom/letters'],
        ]);
        expect([taken.status, restored.status]).toEqual(['ready', 'completed']);
        expect(results.masked).toHaveLength(ROWS);
        expect(canaries.findIn(Buffer.from(JSON.stringify(results.masked)))).toEqual([]);
        expect(canaries.findIn(Buffer.from(JSON.stringify(results.restored)))).toHaveLength(3 * ROWS);
        expect((await agents())[0]?.status).toBe('revoked');
      });

      it('renewed its credential at each start', () => {
        const requests = tcpStreams(behindTls).map(({ sent }) => sent.toString('latin1'));
        const renewals = requests.join('').match(/POST \/v1\/agents\/renew HTTP/g) ?? [];
        expect(renewals.length).toBeGreaterThanOrEqual(2);
      });

      it('sent nothing but TLS over the link, except the allowed lines', () => {
        expect(findPlaintext(link, ALLOWED[way])).toEqual([]);
        const servers = tcpStreams(link).map(({ server }) => Number(server.split(':')[1]));
        expect(new Set(servers)).toEqual(new Set(ALLOWED[way].map(({ port }) => port)));
      });

      it('had no route to the control plane except the open ports or the proxy', () => {
        const { namespace } = networks.customer.site;
        const route = (): string => namespace.run('ip', 'route', 'get', CONTROL_ADDRESS);
        if (way === 'proxy') expect(route).toThrow('unreachable');
        else expect(route()).toContain(LINK);
        const dropped = namespace.run('iptables', '-S', 'OUTPUT');
        expect(dropped).toContain('-P OUTPUT DROP');
      });

      it('accepted no connection and listened on no port', () => {
        const [address] = networks.customer.site.namespace.run('hostname', '-I').trim().split(' ');
        const inward = link.filter(({ isSyn, isAck, to }) => isSyn && !isAck && to.startsWith(`${address}:`));
        expect(inward).toEqual([]);
        const group = new Set(networks.customer.processesOf(AGENT));
        expect(group.size).toBeGreaterThan(0);
        const pids = [...listening.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid));
        expect(pids.length).toBeGreaterThan(0);
        expect(pids.filter((pid) => group.has(pid))).toEqual([]);
      });

      it('sent no canary in plain bytes over the link', () => {
        expect(canaries.findIn(Buffer.concat(link.map(({ payload }) => payload)))).toEqual([]);
      });

      it('sent no canary inside TLS: neither in HTTP requests nor in WebSocket frames', () => {
        const streams = tcpStreams(behindTls);
        const http = streams.filter(({ server }) => server.endsWith(`:${API_PORT}`));
        const requests = Buffer.concat(http.flatMap(({ sent, received }) => [sent, received]));
        expect(requests.includes('POST /v1/agents/enrol')).toBe(true); // proves that TLS has ended there
        expect(canaries.findIn(requests)).toEqual([]);
        const sockets = streams.filter(({ server }) => server.endsWith(`:${WEBSOCKET_PORT}`));
        const frames = Buffer.concat(
          sockets.flatMap(({ sent, received }) => [websocketData(sent), websocketData(received)]),
        );
        expect(frames.includes('PUB us.evt.')).toBe(way === 'proxy');
        expect(canaries.findIn(frames)).toEqual([]);
      });

      it('sent no canary in the messages that NATS received, nor in the journal', () => {
        const messages = nats.recorded();
        expect(messages.includes('us.evt.')).toBe(true);
        expect(messages.includes('us.beat.')).toBe(true);
        expect(canaries.findIn(messages)).toEqual([]);
        const lines = networks.customer.command(AGENT, 'egress', '--json').trim().split('\n');
        const sent = lines.map((line) =>
          Buffer.from((JSON.parse(line) as { bytes: string }).bytes, 'base64'),
        );
        expect(Buffer.concat(sent).includes(job.id)).toBe(true);
        expect(canaries.findIn(Buffer.concat(sent))).toEqual([]);
        const journal = join(networks.customer.stateOf(AGENT), 'journal');
        for (const name of readdirSync(journal))
          expect(canaries.findIn(readFileSync(join(journal, name)))).toEqual([]);
      });
    },
  );
}

/** Returns a model whose file is larger than the 1 MB that nginx accepts by default. */
function largeModel(): Uint8Array {
  const trainer = new NgramTrainer({ order: 5, name: 'letters', locale: 'en_US', originals: 'none' });
  const letters = 'abcdefghijklmnop';
  for (let word = 0; word < 60_000; word++) {
    let text = '';
    for (let at = 0, rest = Math.imul(word + 1, 2654435761) >>> 0; at < 7; at++, rest >>>= 4)
      text += letters[rest & 15] ?? '';
    trainer.add(text);
  }
  return trainer.finish();
}
