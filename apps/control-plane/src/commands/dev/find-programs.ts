import { dirname, join } from 'node:path';

import {
  findBinaries,
  findProgram,
  LocalSystemError,
  SERVICE_PROGRAMS,
  type Program,
  type ServiceBinaries,
  type ServiceName,
} from '@understudy/local-system';

/** This program, with the Node.js that runs it. */
export const CONTROL_PLANE: Program = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../cli.js')],
};

/** Finds `understudy-agent` beside the program of this process, or in PATH. */
export function findAgent(): Program | undefined {
  const found = findProgram('understudy-agent', dirname(process.argv[1] ?? ''));
  return found === undefined ? undefined : { command: found, args: [] };
}

/** Finds the agent. @throws LocalSystemError that names the package to install */
export function requireAgent(): Program {
  const agent = findAgent();
  if (agent !== undefined) return agent;
  throw new LocalSystemError(
    'binaries.missing',
    'expected the program understudy-agent beside this one or in PATH, because an agent offers the sample; found none',
    'install the package understudy-agent of the same release with npm, in the same place as understudy-control-plane',
  );
}

/**
 * Finds the programs of services in PATH and in the folders of Debian.
 * @throws LocalSystemError that names the missing ones and how to install them
 */
export function findServices(names: readonly ServiceName[]): ServiceBinaries {
  const found = findBinaries();
  const missing = names.filter((name) => found[name] === undefined);
  if (missing.length === 0) return found as ServiceBinaries; // all that were requested
  throw new LocalSystemError(
    'binaries.missing',
    `expected these programs on this machine, found none that is new enough: ${missing
      .map((name) => SERVICE_PROGRAMS[name].description)
      .join('; ')}`,
    `sudo apt-get install ${missing.map((name) => SERVICE_PROGRAMS[name].debianPackage).join(' ')}`,
  );
}
