import { join } from 'node:path';

/** A program of Understudy that systemd runs, and the files that belong to it. All paths are absolute. */
export interface Service {
  /** Name of the unit without `.service`. It is also the name of the program on PATH. */
  readonly name: string;
  readonly description: string;
  /** The system user and the group that the service runs as. */
  readonly user: string;
  /** Folder of the configuration. It belongs to root, and only the group of the service can read it. */
  readonly configFolder: string;
  /** File in `configFolder` with the environment variables of the program. */
  readonly variablesFile: string;
  /** The only folder that the service can write to. It is a direct child of `/var/lib`. */
  readonly stateFolder?: string;
  /** Local services that start before this one if they run on the same machine, such as `postgresql.service`. */
  readonly startsAfter: readonly string[];
  /** Commands of the program that must succeed before it starts, such as `migrate`. */
  readonly preparations: readonly string[];
  /** The exit code after an error that a restart cannot correct. */
  readonly configurationExitCode: number;
  /** Further lines of the section `[Service]`, with comments. */
  readonly settings: readonly string[];
}

/** The files with which a unit starts a program, both absolute. */
export interface ServiceProgram {
  /** The program `node`. */
  readonly node: string;
  /** The script that Node.js runs. */
  readonly script: string;
}

/** Returns the path of the unit file. `root` is the root of the file system in which systemd runs. */
export function unitPath(service: Service, root: string): string {
  return join(root, '/etc/systemd/system', `${service.name}.service`);
}
