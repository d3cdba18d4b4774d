import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { cleanUpOnExit } from '@understudy/local-system';
import { NetworkNamespace } from '@understudy/testing';

import { ControlGroup } from './control-group.js';

const ENVIRONMENT = [
  'HOME=/root',
  'LANG=C.UTF-8',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
];

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The exit code of systemd-nspawn after a reboot, with which it asks its caller to start it again. */
const REBOOTED = 133;
const STOP_WITHIN_MS = 120_000;

/**
 * A machine of its own: a container that systemd boots, with a root file system over a read-only base and a network
 * namespace. It sees neither the files nor the network nor the processes of the test machine.
 */
export class Machine {
  private container: ChildProcess | undefined;
  private exited: Promise<number | null> = Promise.resolve(0);

  private constructor(
    readonly namespace: NetworkNamespace,
    private readonly group: ControlGroup,
    private readonly layers: readonly string[],
    private readonly folder: string,
  ) {}

  /**
   * Creates a machine that does not run yet.
   * @param name the name of the machine
   * @param layers root file systems, the uppermost first; they are not changed
   * @param folder an existing folder for the machine's own files
   */
  static create(name: string, layers: readonly string[], folder: string): Machine {
    const namespace = NetworkNamespace.create(name);
    const group = ControlGroup.create(namespace.name);
    const machine = new Machine(namespace, group, layers, join(folder, name));
    for (const part of ['own', 'work', 'root']) mkdirSync(join(machine.folder, part), { recursive: true });
    const overlay = `lowerdir=${layers.join(':')},upperdir=${machine.own},workdir=${join(machine.folder, 'work')}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', overlay, machine.root]);
    return machine;
  }

  /** Boots, and waits until all enabled services run. @throws Error if one of them failed */
  async boot(): Promise<void> {
    const log = openSync(join(this.folder, 'console.log'), 'a');
    const [command, ...args] = this.group.command(
      'systemd-nspawn',
      '--quiet',
      '--boot',
      '--register=no',
      '--keep-unit',
      '--console=pipe',
      '--resolv-conf=off',
      `--directory=${this.root}`,
      `--machine=${this.namespace.name}`,
      `--network-namespace-path=/run/netns/${this.namespace.name}`,
    );
    const container = spawn(command, args, { stdio: ['ignore', log, log] });
    closeSync(log); // the container has it, too
    this.container = container;
    const callOff = cleanUpOnExit([Number(container.pid)], []);
    this.exited = once(container, 'exit').then(([code]) => (callOff(), code as number | null));
    let state = '';
    while (state !== 'running') {
      await delay(100);
      if (container.exitCode !== null || container.signalCode !== null)
        throw new Error(`systemd-nspawn ended: ${readFileSync(join(this.folder, 'console.log'), 'utf8')}`);
      if (this.init === undefined) continue;
      state = (await this.run('systemctl is-system-running --wait || true')).stdout.trim();
      if (state === 'degraded')
        throw new Error((await this.run('systemctl status --state=failed || true')).stdout);
    }
  }

  /** Boots the machine again, as an operator does. */
  async reboot(): Promise<void> {
    await this.end('reboot', REBOOTED);
    await this.boot();
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
    if (this.init === undefined) throw new Error('expected a machine that runs');
    const shell = ['bash', '--norc', '-O', 'extglob', '-euo', 'pipefail', '-c', `cd /root/release; ${lines}`];
    const command = ['/usr/bin/env', '-i', ...ENVIRONMENT, ...shell];
    const child = spawn('nsenter', ['--target', this.init, '--all', ...command]);
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

  /** Powers the machine off and deletes its files. */
  async remove(): Promise<void> {
    if (this.init !== undefined) await this.end('poweroff', 0);
    this.container?.kill('SIGKILL'); // it may never have booted
    await this.exited;
    this.namespace.remove();
    this.group.remove();
    execFileSync('umount', ['--lazy', this.root]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(verb: 'reboot' | 'poweroff', expected: number): Promise<void> {
    const tooLate = setTimeout(() => this.container?.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.run(`systemctl ${verb}`); // the end of the machine may end the command, too
    const code = await this.exited;
    clearTimeout(tooLate);
    if (code !== expected) throw new Error(`expected exit code ${expected} after ${verb}, received ${code}`);
  }

  /** The process id of the machine's first process on the test machine, or undefined if it does not run. */
  private get init(): string | undefined {
    const pid = this.container?.pid;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      return children.find((child) =>
        /^NSpid:\s+\d+\s+1$/m.test(readFileSync(`/proc/${child}/status`, 'utf8')),
      );
    } catch {
      return undefined; // the process ended while it was read, or has no child yet
    }
  }

  private get own(): string {
    return join(this.folder, 'own');
  }

  private get root(): string {
    return join(this.folder, 'root');
  }
}
