import { basename, join } from 'node:path';

import { ServiceError } from './protected-files.js';
import type { Service, ServiceProgram } from './service.js';

/**
 * Returns the text of the unit file with which systemd runs the program.
 * @throws ServiceError if systemd would not accept the path of the program
 */
export function unitText(service: Service, { node, script }: ServiceProgram): string {
  const run = (command: string): string =>
    [node, script, '--config', join(service.configFolder, service.variablesFile), command]
      .map(quoted)
      .join(' ');
  const after = ['network-online.target', ...service.startsAfter].join(' ');
  return `# "${service.name} service install" writes this file, and replaces it after an upgrade.
# Put your own settings into a drop-in: systemctl edit ${service.name}
[Unit]
Description=${service.description}
Wants=network-online.target
After=${after}
# Restart without a limit.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${service.user}
Group=${service.user}
${service.preparations.map((command) => `ExecStartPre=${run(command)}\n`).join('')}ExecStart=${run('start')}
Restart=always
RestartSec=5
# This exit code reports an error that a restart cannot correct, such as an invalid variable.
RestartPreventExitStatus=${service.configurationExitCode}
TimeoutStopSec=30
${[...service.settings, ...stateSettings(service)].map((line) => `${line}\n`).join('')}
${HARDENING}
[Install]
WantedBy=multi-user.target
`;
}

function stateSettings({ stateFolder }: Service): readonly string[] {
  if (stateFolder === undefined) return [];
  return [`StateDirectory=${basename(stateFolder)}`, 'StateDirectoryMode=0700'];
}

/**
 * Quotes a word of a command line if it contains a space. systemd gives other characters, such as `%`, `$` and quotes, a
 * meaning, and does not accept all of them in the name of a program.
 */
function quoted(word: string): string {
  if (!/^[\p{L}\p{M}\p{N}_@+=:,./ -]+$/u.test(word))
    throw new ServiceError(
      `expected a path of letters, digits, spaces and @+=:,./-_ for a unit, received ${word}: move the program`,
    );
  return word.includes(' ') ? `"${word}"` : word;
}

/** Settings that both services have. docs/adr/0075-harden-the-systemd-units.md gives the reasons. */
const HARDENING = `# The service sees a read-only system without home folders and devices.
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateMounts=yes
PrivateDevices=yes
UMask=0077
ProtectProc=invisible
ProcSubset=pid
ProtectHostname=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
KeyringMode=private
RemoveIPC=yes

# The service has no privileges and cannot get any.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
PrivateUsers=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
# The compiler of Node.js writes machine code into memory, so MemoryDenyWriteExecute= is not set.
`;
