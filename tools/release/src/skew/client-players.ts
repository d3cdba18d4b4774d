import { execFile, execFileSync } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';

import { findNewestGo, findToolchain, type ReceivedWebhook, type Toolchain } from '@understudy/testing';

import type { ApiAccess } from './read-everything.js';

const execute = promisify(execFile);

/** A program and its arguments. */
type Command = readonly [string, ...string[]];

/** A client of a release, in one language. */
export interface ClientPlayer {
  readonly language: string;
  /** The program that carries out calls, as `clients/scenarios/README.md` describes. Undefined without the language. */
  readonly command: Command | undefined;
}

/**
 * Returns the clients in a checkout of a release.
 * @param folder for the program in Go
 */
export function clientPlayers(source: string, folder: string): readonly ClientPlayer[] {
  return [
    { language: 'TypeScript', command: [process.execPath, 'clients/typescript/test/player.mjs'] },
    {
      language: 'Python',
      command: ifInstalled('python-client', ['/usr/bin/python3', 'clients/python/tests/player.py']),
    },
    { language: 'Go', command: goPlayer(source, `${folder}/go-player`) },
    { language: 'PHP', command: ifInstalled('php-client', ['php', 'clients/php/tests/player.php']) },
  ];
}

function ifInstalled(toolchain: Toolchain, command: Command): Command | undefined {
  return findToolchain(toolchain) === undefined ? undefined : command;
}

function goPlayer(source: string, file: string): Command | undefined {
  const go = findNewestGo() ?? findToolchain('go');
  if (go === undefined) return undefined;
  execFileSync(go, ['build', '-o', file, './internal/player'], {
    cwd: `${source}/clients/go`,
    stdio: 'pipe',
    // Nothing is downloaded.
    env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', GO111MODULE: 'on' },
  });
  return [file];
}

const NUMBERS = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };
const RECORDS = [{ n: 1 }, { n: 2 }, { n: 3 }];

/**
 * Lists jobs, generates records in three formats, creates a job and waits for it, and verifies a webhook.
 * @param source the working folder of the player
 * @param job the request for a job
 * @throws Error that names the first call with an unexpected result
 */
export async function useClient(
  command: Command,
  source: string,
  { baseUrl, token }: ApiAccess,
  job: object,
  webhook: {
    readonly received: ReceivedWebhook;
    readonly secret: string | undefined;
    readonly event: string;
  },
): Promise<void> {
  const client = { base_url: baseUrl, token };
  const expectEqual = async (request: PlayerRequest, pick: (result: never) => unknown, expected: unknown) => {
    const got = pick((await play(command, source, { client, ...request })) as never);
    if (!isDeepStrictEqual(got, expected))
      throw new Error(`${request.call}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  };
  const generate = { schema: NUMBERS, count: RECORDS.length };
  await expectEqual({ call: 'generate', ...generate }, whole, RECORDS);
  await expectEqual({ call: 'generateStream', ...generate }, whole, RECORDS);
  await expectEqual({ call: 'generateCsv', ...generate }, ({ base64 }: { base64: string }) => base64, CSV);
  const { id } = (await play(command, source, { call: 'jobs.create', client, body: job })) as { id: string };
  await expectEqual({ call: 'jobs.wait', path: [id] }, statusOf, 'completed');
  const idsOf = ({ jobs }: { jobs: readonly { id: string }[] }) => jobs.map((one) => one.id).includes(id);
  await expectEqual({ call: 'jobs.list', query: { status: 'completed' } }, idsOf, true);
  const { headers, body } = webhook.received;
  const verify = { body: body.toString('base64'), headers, secrets: [webhook.secret] };
  await expectEqual(
    { call: 'webhooks.verify', verify },
    ({ event }: { event: string }) => event,
    webhook.event,
  );
}

const CSV = Buffer.from('n\r\n1\r\n2\r\n3\r\n').toString('base64');
const whole = (result: unknown) => result;
const statusOf = ({ status }: { readonly status: string }) => status;

interface PlayerRequest {
  readonly call: string;
  readonly [field: string]: unknown;
}

/** Carries out one call with a client. @throws Error with the error that the client throws */
async function play([program, ...args]: Command, source: string, request: PlayerRequest): Promise<unknown> {
  const running = execute(program, args, { cwd: source });
  running.child.stdin?.on('error', () => undefined); // the end of the process reports the error
  running.child.stdin?.end(`${JSON.stringify({ id: 1, ...request })}\n`);
  const { result, error } = JSON.parse((await running).stdout) as { result?: unknown; error?: unknown };
  if (error !== undefined)
    throw new Error(`${request.call}: expected a result, got ${JSON.stringify(error)}`);
  return result;
}
