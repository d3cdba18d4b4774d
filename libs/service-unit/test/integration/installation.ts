import { execFile, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { asOrdinaryUser } from '@understudy/testing';

const PROGRAMS = {
  agent: join(import.meta.dirname, '../../../../apps/agent/dist/bundle/cli.js'),
  'control-plane': join(import.meta.dirname, '../../../../apps/control-plane/dist/bundle/cli.js'),
};

export const TOKEN = `us_enrol_${'t0K3n-'.repeat(7)}x`;

/** The result of a program. `code` is its exit code. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A root file system with the users of a new Linux system, in which the tests install services. */
export class TestRoot {
  readonly folder = mkdtempSync(join(tmpdir(), 'understudy-root-'));

  constructor() {
    mkdirSync(join(this.folder, 'etc'));
    writeFileSync(join(this.folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    writeFileSync(join(this.folder, 'etc/group'), 'root:x:0:\n');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Returns the ids of the user and the group with this name. */
  ids(name: string): { uid: number; gid: number } {
    const id = (file: string) =>
      Number(new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(this.read(file))?.[1] ?? NaN);
    return { uid: id('etc/passwd'), gid: id('etc/group') };
  }

  /** Returns the owner, the group and the mode of a file, such as `0:0 640`. */
  access(name: string): string {
    const { uid, gid, mode } = lstatSync(this.path(name));
    return `${uid}:${gid} ${(mode & 0o7777).toString(8)}`;
  }

  /** Returns the paths of all files and folders, without the files of useradd. */
  list(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .map((entry) => relative(this.folder, join(entry.parentPath, entry.name)))
      .filter((path) => !/^etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?$/.test(path))
      .sort();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the path of a built program of the checkout. */
export function programOf(app: 'agent' | 'control-plane'): string {
  return PROGRAMS[app];
}

/** Runs a program of the checkout. Never rejects because of its exit code. */
export function run(app: 'agent' | 'control-plane', args: readonly string[], input = ''): Promise<Result> {
  return runCommand(process.execPath, [programOf(app), ...args], input);
}

/** Runs a program of the checkout as a user without privileges, who can still read the files of the checkout. */
export function runAsOrdinaryUser(app: 'agent' | 'control-plane', args: readonly string[]): Promise<Result> {
  return runCommand(...asOrdinaryUser(process.execPath, [programOf(app), ...args]));
}

export function runCommand(file: string, args: readonly string[], input = ''): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, { timeout: 120_000 }, (error, stdout, stderr) => {
      const code = error?.code ?? 0;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error ?? new Error(code));
    });
    child.stdin?.on('error', () => undefined); // the program may end before it has read everything
    child.stdin?.end(input);
  });
}

/**
 * Runs a program on a terminal of its own, with script(1).
 * @returns what the terminal shows
 */
export async function runOnTerminal(
  file: string,
  args: readonly string[],
  { prompt, answer }: { prompt: string; answer: string },
): Promise<string> {
  const command = [file, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let shown = '';
  let isAnswered = false;
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    shown += String(chunk);
    if (isAnswered || !shown.includes(prompt)) continue;
    isAnswered = true;
    child.stdin.write(`${answer}\n`);
  }
  return shown;
}
