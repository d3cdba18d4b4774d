import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A control group for one container, in the hierarchies with which systemd tracks processes. The systemds of two
 * containers in one group would end each other's services.
 */
export class ControlGroup {
  private constructor(private readonly folders: readonly string[]) {}

  /** Creates a group with this name below the group of this process. */
  static create(name: string): ControlGroup {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
    const groups = readFileSync('/proc/self/cgroup', 'utf8').matchAll(/^\d+:(name=systemd)?:(.*)$/gm);
    const folders = [...groups].flatMap(([, named, group = '']) => {
      const mount = (named === undefined ? UNIFIED : NAMED).exec(mounts)?.[1];
      return mount === undefined ? [] : [join(mount, group, name)];
    });
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    return new ControlGroup(folders);
  }

  /** Returns the command that runs a program in the group, with its process id. */
  command(...program: readonly string[]): readonly [string, ...string[]] {
    const enter = this.folders.map((folder) => `echo $$ > '${folder}/cgroup.procs' && `);
    return ['sh', '-c', `${enter.join('')}exec "$@"`, 'sh', ...program];
  }

  /** Removes the group after its processes have ended. */
  remove(): void {
    for (const folder of this.folders)
      execFileSync('find', [folder, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+']);
  }
}

const UNIFIED = /^\S+ \S+ \S+ \/ (\S+) .* - cgroup2 /m;
const NAMED = /^\S+ \S+ \S+ \/ (\S+) .* - cgroup \S+ \S*name=systemd/m;
