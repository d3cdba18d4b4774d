import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { itUnless, reasonToSkip, waitFor, type Toolchain } from '@understudy/testing';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { expectedSignature } from './webhook-receiver.js';

// Runs the programs of docs/guides/webhooks.md unchanged. Skips languages that are not installed on this machine.

const PAGE = readFileSync(join(import.meta.dirname, '../../../../../docs/guides/webhooks.md'), 'utf8');

interface Language {
  readonly name: string;
  /** The language tag of the receiver's code block in docs/guides/webhooks.md. */
  readonly fence: string;
  readonly file: string;
  readonly toolchain?: Toolchain;
  /** Returns the program and the arguments that run the file. */
  command(file: string, port: number): readonly [string, ...string[]];
}

const LANGUAGES: readonly Language[] = [
  { name: 'Node', fence: 'js', file: 'receiver.mjs', command: (file) => [process.execPath, file] },
  {
    name: 'Python',
    fence: 'python',
    file: 'receiver.py',
    toolchain: 'python',
    command: (file) => ['python3', file],
  },
  {
    name: 'PHP',
    fence: 'php',
    file: 'receiver.php',
    toolchain: 'php',
    command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  {
    name: 'Go',
    fence: 'go',
    file: 'receiver.go',
    toolchain: 'go',
    command: (file) => {
      const program = file.replace(/\.go$/, '');
      const build = (settings: Record<string, string>) =>
        execFileSync('go', ['build', '-o', program, file], {
          env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '', ...settings },
          stdio: 'pipe',
        });
      try {
        build({}); // links the installed libraries
      } catch {
        build({ CGO_ENABLED: '0' }); // needs no C compiler
      }
      return [program];
    },
  },
];

let plane: ControlPlane;
let folder: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-receivers-'));
  plane = await startControlPlane({ webhooks: { allowedNetworks: ['127.0.0.1'], sweepMs: 200 } });
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
afterAll(async () => {
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function snippetOf(fence: string): string {
  const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${fence}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text ?? '',
  );
  expect(blocks).toHaveLength(1);
  return blocks.join('');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function run(language: Language, port: number, secret: string): Promise<() => string> {
  const file = join(folder, language.file);
  writeFileSync(file, snippetOf(language.fence));
  const [program, ...args] = language.command(file, port);
  const child = spawn(program, args, { env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret } });
  running.push(child);
  let output = '';
  child.stdout.on('data', (data) => (output += String(data)));
  child.stderr.on('data', (data) => (output += String(data)));
  await waitFor(`the receiver in ${language.name}`, async () => {
    if (child.exitCode !== null) throw new Error(`expected a running receiver; its output: ${output}`);
    return (
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(() => undefined)) !==
      undefined
    );
  });
  return () => output;
}

const post = async (path: string, body: unknown) => {
  const answer = await plane.request(`/v1${path}`, { method: 'POST', body });
  return (answer.body as unknown as { data: { id: string; secret: string; event_id: string } }).data;
};

describe.each(LANGUAGES)('the receiver in $name', (language) => {
  const { toolchain } = language;
  itUnless(reasonToSkip(toolchain))(
    '[5/6] accepts the delivery and returns 401 for everything else',
    async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const { id, secret } = await post('/webhooks', { url, events: ['sync.completed'] });
      const output = await run(language, port, secret);
      const sent = await post(`/webhooks/${id}/test`, {});
      await waitFor('the delivery', async () => {
        const { body } = await plane.request(`/v1/webhooks/deliveries/${sent.id}`);
        return (body as unknown as { data: { status: string } }).data.status === 'delivered';
      });
      await waitFor('the receiver to print the event', async () =>
        output().includes(`${sent.event_id} webhook.test`),
      );

      const body = JSON.stringify({
        id: 'evt_forged',
        event: 'sync.completed',
        timestamp: '',
        data: { name: 'ä' },
      });
      const right = expectedSignature(secret, Buffer.from(body));
      const answerTo = async (signature: string | undefined, text = body) => {
        const headers: Record<string, string> =
          signature === undefined ? {} : { 'x-service-signature': signature };
        return (await fetch(url, { method: 'POST', body: text, headers })).status;
      };
      expect(await answerTo(right)).toBe(200);
      const last = right.endsWith('0') ? '1' : '0';
      const forged = [
        undefined,
        '',
        right.slice(1),
        `${right}0`,
        `${right.slice(0, -1)}${last}`,
        right.toUpperCase(),
        'ÿ',
      ];
      for (const signature of [...forged, expectedSignature('whsec_other', Buffer.from(body))])
        expect([signature, await answerTo(signature)]).toEqual([signature, 401]);
      expect(await answerTo(right, `${body} `)).toBe(401);
    },
  );
});
