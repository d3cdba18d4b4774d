import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findToolchain } from '../provision/toolchains.js';
import {
  cleanUpOnExit,
  startProcess,
  type ProcessIdentity,
  type ProcessSpec,
} from '@understudy/local-system';

const PREFIX = 'understudy-';
/** `ip netns exec` shows the files of this folder at /etc to the programs of a namespace. */
const FILES_OF_NAMESPACES = '/etc/netns';

/**
 * A network of its own on this machine: a Linux network namespace with its own interfaces, host names and
 * firewall. Nothing in it can reach the machine's network. Only root can create one.
 */
export class NetworkNamespace {
  private callOff: () => void = () => undefined;

  private constructor(readonly name: string) {}

  /**
   * @returns why this process cannot create namespaces, for the title of a skipped suite; undefined if it can
   */
  static whyNotPossible(): string | undefined {
    if (process.platform !== 'linux') return 'network namespaces exist only on Linux';
    if (process.getuid?.() !== 0) return 'only root can create network namespaces';
    if (findToolchain('networks') === undefined)
      return 'ip, iptables, tcpdump, nginx, openssl or curl is not installed';
    try {
      new NetworkNamespace(nameFor('probe')).create().remove();
      return undefined;
    } catch (error) {
      return `this machine refuses network namespaces: ${error instanceof Error ? error.message : ''}`;
    }
  }

  /**
   * Creates a namespace with a loopback interface. It is removed when this process ends in any way.
   * @param role short name, such as `agent`
   */
  static create(role: string): NetworkNamespace {
    return new NetworkNamespace(nameFor(role)).create();
  }

  private create(): this {
    mkdirSync(this.folder, { recursive: true });
    ip('netns', 'add', this.name);
    const killAll = `ip netns pids ${this.name} | xargs -r kill -9`;
    this.callOff = cleanUpOnExit([], [this.folder], [killAll, `ip netns delete ${this.name}`]);
    this.setHosts({});
    // There is no name server, so that a name that is not in the hosts file is not found immediately.
    writeFileSync(join(this.folder, 'resolv.conf'), '');
    this.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 2>/dev/null || true');
    this.run('ip', 'link', 'set', 'lo', 'up');
    return this;
  }

  /** Kills every process in the namespace, and removes it with its interfaces. */
  remove(): void {
    for (const pid of ip('netns', 'pids', this.name).split('\n').filter(Boolean)) kill(Number(pid));
    ip('netns', 'delete', this.name);
    rmSync(this.folder, { recursive: true, force: true });
    this.callOff();
  }

  /**
   * Replaces the names that programs of the namespace can resolve. Running programs see the change, because
   * the file is overwritten in place.
   * @param addresses the address of each name
   */
  setHosts(addresses: Readonly<Record<string, string>>): void {
    const lines = Object.entries({ localhost: '127.0.0.1', ...addresses }).map(
      ([name, ip]) => `${ip} ${name}`,
    );
    writeFileSync(join(this.folder, 'hosts'), `${lines.join('\n')}\n`);
  }

  /** Runs a program in the namespace and returns its output. */
  run(command: string, ...args: string[]): string {
    return this.runWith(process.env, command, ...args);
  }

  /** Runs a program in the namespace with this environment and returns its output. */
  runWith(
    environment: Readonly<Record<string, string | undefined>>,
    command: string,
    ...args: string[]
  ): string {
    return ipWith(environment, 'netns', 'exec', this.name, command, ...args);
  }

  /** Starts a program in the namespace, as `startProcess` does. */
  start(spec: ProcessSpec, ready: (exited: AbortSignal) => Promise<void>): Promise<ProcessIdentity> {
    const args = ['netns', 'exec', this.name, spec.command, ...spec.args];
    return startProcess({ ...spec, command: 'ip', args }, ready);
  }

  private get folder(): string {
    return join(FILES_OF_NAMESPACES, this.name);
  }
}

/** One end of a link: a namespace, the name of its interface, and its address with the size of the network. */
export interface LinkEnd {
  readonly namespace: NetworkNamespace;
  readonly interface: string;
  /** For example `10.77.0.1/24`. */
  readonly address: string;
}

/** Connects two namespaces by a pair of virtual interfaces, which never exist outside the two namespaces. */
export function connectNamespaces(one: LinkEnd, other: LinkEnd): void {
  ip(
    ...['link', 'add', one.interface, 'netns', one.namespace.name, 'type', 'veth'],
    ...['peer', 'name', other.interface, 'netns', other.namespace.name],
  );
  for (const { namespace, interface: name, address } of [one, other]) {
    namespace.run('ip', 'address', 'add', address, 'dev', name);
    namespace.run('ip', 'link', 'set', name, 'up');
  }
}

function nameFor(role: string): string {
  return `${PREFIX}${process.pid}-${randomBytes(3).toString('hex')}-${role}`;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

function ip(...args: string[]): string {
  return ipWith(process.env, ...args);
}

function ipWith(env: Readonly<Record<string, string | undefined>>, ...args: string[]): string {
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
    return execFileSync('ip', args, { encoding: 'utf8', stdio, env: { ...env } });
  } catch (error) {
    const stderr = (error as { stderr?: string }).stderr?.trim();
    throw new Error(`ip ${args.join(' ')} failed: ${stderr || String(error)}`, { cause: error });
  }
}
