/** The programs of PostgreSQL, all from one folder, so that server and clients have the same version. */
export interface PostgresBinaries {
  /** Folder with postgres, initdb, psql, pg_dump and pg_restore. */
  readonly binFolder: string;
  readonly majorVersion: number;
  readonly libraryPath?: string;
}

export interface ServerBinary {
  readonly path: string;
  readonly version: string;
  readonly libraryPath?: string;
}

export interface ServiceBinaries {
  readonly postgres: PostgresBinaries;
  readonly redis: ServerBinary;
  readonly nats: ServerBinary;
}

export type ServiceName = keyof ServiceBinaries;

/** The programs of each service, for messages, and the package of Debian that installs them. */
export const SERVICE_PROGRAMS: Readonly<
  Record<ServiceName, { readonly description: string; readonly debianPackage: string }>
> = {
  postgres: {
    description: 'PostgreSQL 14 or newer (postgres, initdb, psql, pg_dump, pg_restore in one folder)',
    debianPackage: 'postgresql',
  },
  redis: { description: 'redis-server 6 or newer', debianPackage: 'redis-server' },
  nats: { description: 'nats-server 2.9 or newer', debianPackage: 'nats-server' },
};

/**
 * Names of the programs that can be installed from packages of the distribution: the services, and pgcopydb
 * for a benchmark.
 */
export type PackagedName = ServiceName | 'pgcopydb';

/**
 * @returns the environment with which a program finds its libraries. It leaves out the locale and the PG*
 *   settings of the caller
 */
export function binaryEnvironment(binary: { readonly libraryPath?: string }): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    ...(binary.libraryPath && { LD_LIBRARY_PATH: binary.libraryPath }),
  };
}
