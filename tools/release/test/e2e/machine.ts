import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { NetworkNamespace } from '@understudy/testing';

const ENVIRONMENT = [
  '--chdir=/root/release',
  'HOME=/root',
  'LANG=C.UTF-8',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
];

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A machine of its own: a root file system over a read-only base, and a network namespace. Programs run in a chroot, so
 * they see neither the files nor the network of the test machine.
 */
export class Machine {
  private readonly mounts: string[] = [];

  private constructor(
    readonly namespace: NetworkNamespace,
    private readonly layers: readonly string[],
    private readonly folder: string,
  ) {}

  /**
   * @param name the name of the machine
   * @param layers root file systems, the uppermost first; they are not changed
   * @param folder an existing folder for the machine's own files
   */
  static create(name: string, layers: readonly string[], folder: string): Machine {
    const machine = new Machine(NetworkNamespace.create(name), layers, join(folder, name));
    for (const part of ['own', 'work', 'root']) mkdirSync(join(machine.folder, part), { recursive: true });
    const overlay = `lowerdir=${layers.join(':')},upperdir=${machine.own},workdir=${join(machine.folder, 'work')}`;
    machine.mount('-t', 'overlay', 'overlay', '-o', overlay, machine.root);
    machine.mount('-t', 'proc', 'proc', machine.path('/proc'));
    machine.mount('-t', 'tmpfs', 'tmpfs', machine.path('/dev/shm'));
    machine.mount('-t', 'tmpfs', 'tmpfs', machine.path('/run'));
    machine.mount('-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', machine.path('/tmp'));
    return machine;
  }

  /** Returns the path on the test machine of a file of this machine. */
  path(file: string): string {
    return join(this.root, file);
  }

  /** Adds names that the machine can resolve. */
  addHosts(addresses: Readonly<Record<string, string>>): void {
    const lines = Object.entries(addresses).map(([host, address]) => `${address} ${host}\n`);
    appendFileSync(this.path('/etc/hosts'), lines.join(''));
  }

  /** Runs lines of a shell as root of this machine, in the folder `release`. The first line that fails ends the run. */
  async run(lines: string, input = ''): Promise<Printed> {
    const command = [
      'chroot',
      this.root,
      '/usr/bin/env',
      '-i',
      ...ENVIRONMENT,
      'bash',
      '--norc',
      '-O',
      'extglob',
      '-euo',
      'pipefail',
      '-c',
      lines,
    ];
    const child = spawn('ip', ['netns', 'exec', this.namespace.name, ...command]);
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (data) => (printed[name] += String(data)));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...printed };
  }

  /** Returns the files and folders that this machine has and its base has not, and those whose content differs. */
  changes(): readonly string[] {
    return readdirSync(this.own, { recursive: true, encoding: 'utf8' })
      .filter((path) => !this.isAsBefore(path))
      .map((path) => `/${path}`)
      .sort();
  }

  private isAsBefore(path: string): boolean {
    const now = lstatSync(join(this.own, path));
    const before = this.layers
      .map((layer) => join(layer, path))
      .find((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
    if (before === undefined) return now.isCharacterDevice(); // overlayfs marks a deleted file this way
    if (now.isDirectory()) return true;
    return (
      now.isFile() &&
      lstatSync(before).isFile() &&
      readFileSync(before).equals(readFileSync(join(this.own, path)))
    );
  }

  /** Ends all programs of the machine and deletes its files. */
  remove(): void {
    this.namespace.remove();
    for (const path of this.mounts.reverse()) execFileSync('umount', ['--lazy', path]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get own(): string {
    return join(this.folder, 'own');
  }

  private get root(): string {
    return join(this.folder, 'root');
  }

  private mount(...args: string[]): void {
    execFileSync('mount', args);
    this.mounts.push(args.at(-1) ?? '');
  }
}
