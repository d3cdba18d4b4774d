import { writeFileSync } from 'node:fs';

import type { Machine } from './machine.js';

/** Commands of a shell that a unit forbids. Each succeeds if it is allowed. */
export const ATTEMPTS = [
  'touch /srv/open/file', // ProtectSystem=
  'ls /home/open', // ProtectHome=
  'test -e /tmp/of-another', // PrivateTmp=
  'test -d /proc/1', // ProtectProc=
  'test -e /proc/cpuinfo', // ProcSubset=
  'unshare --user true', // RestrictNamespaces=
  'setarch --addr-no-randomize true', // LockPersonality=
  `perl -e 'exit !socket(my $netlink, 16, 3, 0)'`, // RestrictAddressFamilies=
  'touch /dev/shm/own && chmod u+s /dev/shm/own && rm /dev/shm/own', // RestrictSUIDSGID=
  'renice --priority 5 $$', // SystemCallFilter=
] as const;

const LAST_LINE = 'all attempts were made';

/** The limits of the process of a service that runs, as the kernel reports them. */
interface RunningProcess {
  readonly user: string;
  readonly group: string;
  readonly groups: string;
  readonly capabilities: string;
  readonly boundingSet: string;
  readonly noNewPrivileges: string;
  /** 2 if a filter of system calls is active. */
  readonly seccomp: string;
  /** Whether it has a mount namespace and a user namespace of its own. */
  readonly ownMounts: boolean;
  readonly ownUsers: boolean;
}

export interface Confinement {
  readonly running: RunningProcess;
  /** The attempts that succeed for the user of the service without the unit. */
  readonly allowedOutside: readonly string[];
  /** The attempts that succeed in a unit with the same settings. */
  readonly allowedInside: readonly string[];
}

/** Finds out how a running service is confined. Starts a second unit with its settings and another command. */
export async function confinement(machine: Machine, unit: string, user: string): Promise<Confinement> {
  const script = ATTEMPTS.map((command, index) => `(${command}) >/dev/null 2>&1 && echo allowed ${index}`);
  writeFileSync(machine.path('/usr/local/bin/attempts'), `${script.join('\n')}\necho ${LAST_LINE}\n`);
  await lines(machine, 'mkdir -p -m 1777 /srv/open; mkdir -p -m 0755 /home/open; touch /tmp/of-another');
  const outside = await lines(machine, `runuser -u ${user} -- sh /usr/local/bin/attempts`);
  const inside = await lines(
    machine,
    `sed -e '/^ExecStartPre=/d; s|^ExecStart=.*|ExecStart=/bin/sh /usr/local/bin/attempts|' \
       -e 's/^Type=.*/Type=oneshot/; /^Restart/d' /etc/systemd/system/${unit}.service \
       > /run/systemd/system/attempts.service
     systemctl daemon-reload
     systemctl start attempts
     journalctl --sync
     journalctl --unit=attempts --output=cat
     rm -r /run/systemd/system/attempts.service /usr/local/bin/attempts /srv/open /home/open
     systemctl daemon-reload`,
  );
  const running = await runningProcess(machine, unit);
  return { running, allowedOutside: allowed(outside), allowedInside: allowed(inside) };
}

async function runningProcess(machine: Machine, unit: string): Promise<RunningProcess> {
  const printed = await lines(
    machine,
    `pid=$(systemctl show --property=MainPID --value ${unit})
     cat /proc/$pid/status
     ps -o 'user:64=,group:64=,supgrp:64=' -p $pid | sed 's/^/names: /'
     for name in mnt user; do echo "$name: $(readlink /proc/1/ns/$name) $(readlink /proc/$pid/ns/$name)"; done`,
  );
  const field = (name: string): string =>
    printed
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? 'missing';
  const differ = (name: string): boolean => new Set(field(name).split(' ')).size === 2;
  const [user = '', group = '', groups = ''] = field('names').split(/\s+/);
  const digits = (name: string): string => field(name).replace(/^0+(?=.)/, '');
  return {
    user,
    group,
    groups,
    capabilities: digits('CapEff'),
    boundingSet: digits('CapBnd'),
    noNewPrivileges: field('NoNewPrivs'),
    seccomp: field('Seccomp'),
    ownMounts: differ('mnt'),
    ownUsers: differ('user'),
  };
}

function allowed(printed: readonly string[]): string[] {
  if (!printed.includes(LAST_LINE)) throw new Error(`the attempts did not run: ${printed.join('; ')}`);
  return ATTEMPTS.filter((_, index) => printed.includes(`allowed ${index}`));
}

async function lines(machine: Machine, commands: string): Promise<string[]> {
  const { code, stdout, stderr } = await machine.run(commands);
  if (code !== 0) throw new Error(`exit code ${code} of:\n${commands}\n${stdout}\n${stderr}`);
  return stdout.split('\n');
}
