import { spawn, type ChildProcess } from 'node:child_process';

/** The paths of a {@link startHardened} process. */
export const INSIDE = { checkout: '/srv', folder: '/media', state: '/media/state' } as const;

export interface HardenedOptions {
  /** Folder of the checkout, which the process sees at {@link INSIDE}. */
  readonly checkout: string;
  /** Folder that the process sees read-only. Its subfolder `state` is the only one that it can write to. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts Node.js as the systemd unit does, as far as this is possible without systemd: as another user without
 * capabilities, on a read-only system. Home folders and `/tmp` are empty, and `/proc` contains only processes. Only
 * root can do this, on Linux.
 */
export function startHardened({ checkout, folder, args, env }: HardenedOptions): ChildProcess {
  const program = ['sh', '-ec', SCRIPT, 'sh', checkout, folder, process.execPath, ...args];
  return spawn('unshare', ['--mount', '--propagation', 'private', ...program], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const SCRIPT = `
mount --bind "$1" ${INSIDE.checkout}
mount --bind "$2" ${INSIDE.folder}
mount --bind "$2/state" ${INSIDE.state}
mount -t proc -o subset=pid,hidepid=invisible proc /proc
while read -r _ _ _ _ path _; do
  [ -e "$path" ] || continue
  case $path in ${INSIDE.state} | /proc* | /dev* | /sys*) continue ;; esac
  mount -o remount,bind,ro "$path"
done < /proc/self/mountinfo
for path in /home /root /tmp; do mount -t tmpfs -o ro,mode=0755 none $path; done
shift 2
cd /
exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;
