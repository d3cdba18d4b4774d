import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { findBinaries } from '@understudy/local-system';
import { waitFor } from '@understudy/testing';

import type { Development } from '../../../src/commands/dev/development.js';
import { AGENT, Dev } from '../harness/dev-process.js';

jest.setTimeout(600_000); // starts a complete system twice in each test, and waits for the lock of the killed command

const HOOK = join(import.meta.dirname, '../harness/hold-program.cjs');

interface Step {
  readonly name: string;
  /** Matches the words of the program that waits until `dev` is killed, and then goes on. */
  readonly program: string;
  /** Default: before the program runs. */
  readonly at?: 'end';
}

/** Every program that the first start runs, in order. */
const STEPS: readonly Step[] = [
  { name: 'initdb begins', program: 'initdb' },
  { name: 'initdb has ended', program: 'initdb', at: 'end' },
  { name: 'PostgreSQL starts', program: 'postgres' },
  { name: 'Redis starts', program: 'redis-server' },
  { name: 'NATS starts', program: 'nats-server' },
  { name: 'the migration begins', program: 'cli\\.js migrate$' },
  { name: 'the organisation is created', program: 'cli\\.js bootstrap ', at: 'end' },
  { name: 'the control plane starts', program: 'cli\\.js start$' },
  { name: 'the enrolment token is created', program: 'cli\\.js agent enrolment-token ', at: 'end' },
  { name: 'the agent starts', program: 'understudy-agent start$' },
  { name: 'the link to the dashboard is created', program: 'cli\\.js sign-in-link ', at: 'end' },
];

describe('the command dev after kill -9 of its first start', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'understudy-killed-dev-'));
    chmodSync(home, 0o777); // programs of PostgreSQL's user write here, too
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it.each(STEPS)('starts completely if $name', async ({ program, at }) => {
    const [folder, reached] = [join(home, 'data'), join(home, 'reached')];
    const env = environment(home, { HOLD_PROGRAM: program, HOLD_FILE: reached, HOLD_AT: at ?? '' });
    const killed = new Dev(['--folder', folder, '--sample'], env);
    try {
      await waitFor('the step', async () => existsSync(reached));
    } finally {
      await killed.signal('SIGKILL');
    }

    const second = new Dev(['--folder', folder, '--sample'], env);
    try {
      const development = await second.up();
      expect(await statusesOfAgents(development)).toEqual(['live']);
      expect(await second.signal('SIGINT')).toBe(0);
    } finally {
      await second.signal('SIGTERM');
    }
    await waitFor('the end of all processes', async () => processesIn(folder).length === 0);
  });
});

/** Puts programs into `bin` that wait at the chosen step, the first time that it is reached. */
function environment(home: string, hold: Readonly<Record<string, string>>): Record<string, string> {
  const { postgres, redis, nats } = findBinaries();
  if (!postgres || !redis || !nats) throw new Error('expected PostgreSQL, Redis and NATS on this machine');
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(AGENT, join(bin, 'understudy-agent'));
  for (const name of readdirSync(postgres.binFolder))
    if (name !== 'postgres' && name !== 'initdb')
      symlinkSync(join(postgres.binFolder, name), join(bin, name));
  const programs = [
    ...['postgres', 'initdb'].map((name) => join(postgres.binFolder, name)),
    redis.path,
    nats.path,
  ];
  for (const program of programs) writeHeld(join(bin, basename(program)), program, hold);
  return {
    ...hold,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    NODE_OPTIONS: `--require ${HOOK}`,
    UNDERSTUDY_STACK_PG_BIN_DIR: bin,
  };
}

/** Writes a program that does what hold-program.cjs does, and runs another program. */
function writeHeld(file: string, program: string, hold: Readonly<Record<string, string>>): void {
  const text = `#!/bin/sh
${Object.entries(hold)
  .map(([name, value]) => `${name}='${value}'`)
  .join('\n')}
parent=$PPID
hold() {
  : > "$HOLD_FILE"
  while [ "$(ps -o ppid= -p $$ | tr -d ' ')" = "$parent" ]; do sleep 0.05; done
}
case "$HOLD_PROGRAM $*" in
  *--version*) ;;
  ${basename(program)}\\ *) [ -e "$HOLD_FILE" ] || isHeld=yes ;;
esac
[ "$isHeld" = yes ] || exec ${program} "$@"
if [ "$HOLD_AT" = end ]; then ${program} "$@" && hold; else hold; exec ${program} "$@"; fi
`;
  writeFileSync(file, text, { mode: 0o755 });
}

async function statusesOfAgents({ api_url: api, api_token_file: file }: Development): Promise<string[]> {
  const response = await fetch(`${api}/agents`, {
    headers: { authorization: `Bearer ${readFileSync(file, 'utf8')}` },
  });
  const { data } = (await response.json()) as { data: { agents: { status: string }[] } };
  return data.agents.map(({ status }) => status);
}

/** Returns the commands of all processes that work in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const isThere = command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        return isThere ? [command] : [];
      } catch {
        return []; // the process has just ended
      }
    });
}
