import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { BIN } from '../run-cli.js';

const ROOT = join(import.meta.dirname, '../../../..');
/** Matches the log line of an agent that the control plane lists as live. */
const READY = /live: the control plane has replied/;

export interface GuideShellOptions {
  /** The stack on which the programs of this checkout run. Without it, the page itself installs the programs. */
  readonly stackFolder?: string;
  /** The words before `bash`, such as those of `ip netns exec`. */
  readonly prefix?: readonly string[];
}

/**
 * A shell that runs the blocks of one page. Variables and files persist from one block to the next. A line such as
 * `export API=https://…` does not overwrite the variables in `settings`, which contain the addresses and secrets of the
 * test. `SHOP_SERVER` replaces `me:${PGPASSWORD}@localhost`, which pages use as user, password and host. Without its
 * password, it replaces `me@localhost`. Behind the password of another role, its host replaces `localhost`.
 */
export class GuideShell {
  readonly folder = mkdtempSync(join(tmpdir(), 'understudy-guide-'));
  private readonly servers: ChildProcess[] = [];
  private lastOutput = '';

  constructor(
    private readonly settings: Readonly<Record<string, string>>,
    private readonly options: GuideShellOptions,
  ) {
    if (options.stackFolder !== undefined) this.linkPrograms(options.stackFolder);
  }

  private linkPrograms(stackFolder: string): void {
    const bin = join(this.folder, '.bin');
    symlinkSync(BIN, this.inBin('understudy'));
    symlinkSync(
      join(ROOT, 'apps/control-plane/bin/understudy-control-plane.js'),
      this.inBin('understudy-control-plane'),
    );
    symlinkSync(join(ROOT, 'apps/agent/bin/understudy-agent.js'), this.inBin('understudy-agent'));
    // npm commands run in the clone, with the folder of the test's stack. `npm test` is skipped: it would run this test.
    const npm = `#!/usr/bin/env bash
unset "\${!UNDERSTUDY_@}" 2>/dev/null || true
case "$*" in
  test*) exit 0 ;;
  'run quickstart'*) cd '${ROOT}' && exec node tools/run.mjs quickstart --exit --customers 500 --orders 1000 --data-dir '${join(this.folder, '.quickstart')}' ;;
  'run stack -- up'*) cd '${ROOT}' && exec node tools/run.mjs stack up --data-dir '${stackFolder}' ;;
  'run --silent understudy -- '*) shift 4; exec understudy "$@" ;;
  *) echo "unexpected command: npm $*" >&2; exit 64 ;;
esac
`;
    writeFileSync(join(bin, 'npm'), npm);
    chmodSync(join(bin, 'npm'), 0o755);
  }

  /**
   * Runs a block. `export JOB=job_…` takes the id from the output of the lines before it.
   * @returns the last standard output that was not empty; a command of an earlier block may have written it
   * @throws Error with the end of stdout and stderr if a line fails
   */
  async run(block: string): Promise<string> {
    for (const part of block.split(/^(?=export \w+='?\w+_…)/m)) {
      const [first = '', ...rest] = part.split('\n');
      const id = this.idFor(first);
      const lines = [...(id === undefined ? [first] : [id]), ...rest].join('\n');
      const child = this.start(
        `${this.script(lines)}\nexport -p > "$GUIDE_STATE"; pwd > "$GUIDE_STATE.folder"`,
      );
      const { code, out, err } = await finished(child);
      if (code !== 0)
        throw new Error(`exit code ${String(code)} of\n${part}\n${out.slice(-2_000)}\n${err.slice(-2_000)}`);
      if (out !== '') this.lastOutput = out;
    }
    return this.lastOutput;
  }

  /**
   * Starts a block that runs until `close` is called. Resolves when the block's program logs that it is
   * ready.
   * @param ready matches the log of the program when it is ready
   * @returns a function that returns everything that the block has printed so far
   */
  async serve(block: string, ready = READY): Promise<() => string> {
    const child = this.start(this.script(block.replace(/^(?!export |cd )(\S.*)$/m, 'exec $1')));
    this.servers.push(child);
    let log = '';
    await new Promise<void>((resolve, reject) => {
      if (ready.test(log)) resolve();
      const read = (chunk: Buffer): void => {
        log += chunk.toString();
        if (ready.test(log)) resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', (code) =>
        reject(new Error(`exit code ${String(code)} of\n${block}\n${log.slice(-2_000)}`)),
      );
    });
    return () => log;
  }

  save(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  async close(): Promise<void> {
    for (const server of this.servers.filter(({ exitCode }) => exitCode === null)) {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private inBin(name: string): string {
    const bin = join(this.folder, '.bin');
    if (!existsSync(bin)) mkdirSync(bin);
    return join(bin, name);
  }

  private start(script: string): ChildProcess {
    const path = [join(this.folder, '.bin'), process.env['PATH']].join(delimiter);
    const [command = '', ...args] = [
      ...(this.options.prefix ?? []),
      'bash',
      '-euo',
      'pipefail',
      '-c',
      script,
    ];
    return spawn(command, args, {
      cwd: this.folder,
      env: {
        ...withoutUnderstudy(process.env),
        ...this.settings,
        PATH: path,
        GUIDE_STATE: join(this.folder, '.state'),
        FORCE_COLOR: undefined,
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Removes the lines that would overwrite a setting of the test. */
  private script(block: string): string {
    const server = this.settings['SHOP_SERVER'] ?? '';
    const lines = block
      .replaceAll(' apps/agent/bin', ` ${ROOT}/apps/agent/bin`)
      .replaceAll('me:${PGPASSWORD}@localhost', server)
      .replaceAll('me@localhost', server.replace(':${PGPASSWORD}', ''))
      .replaceAll('PASSWORD}@localhost', `PASSWORD}@${server.replace(/^.*@/, '')}`)
      .split('\n')
      .filter((line) => !Object.hasOwn(this.settings, /^export (\w+)=/.exec(line)?.[1] ?? ''));
    const state = 'if [ -e "$GUIDE_STATE" ]; then . "$GUIDE_STATE"; cd "$(cat "$GUIDE_STATE.folder")"; fi';
    return [state, ...lines].join('\n');
  }

  /**
   * Returns the line with an id of the last output instead of the abbreviated id. Returns undefined if the
   * line needs no id.
   */
  private idFor(line: string): string | undefined {
    const [, name = '', prefix] = /^export (\w+)='?(\w+_)…'?$/.exec(line) ?? [];
    if (prefix === undefined || Object.hasOwn(this.settings, name)) return undefined;
    const id = new RegExp(`"(${prefix}[A-Za-z0-9_]+)"`).exec(this.lastOutput)?.[1];
    if (id === undefined)
      throw new Error(`${line}: the output before it has no such id: ${this.lastOutput.slice(0, 500)}`);
    return `export ${name}=${id}`;
  }
}

async function finished(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

function withoutUnderstudy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('UNDERSTUDY_')));
}
