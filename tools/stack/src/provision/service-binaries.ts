/** Programs of one service, all from one place, so that server and client are of one version. */
export interface PostgresBinaries {
  /** Holds postgres, initdb, psql, pg_dump and pg_restore. */
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

/** What is had from the distribution's packages: the services, and the peer of a benchmark. */
export type PackagedName = ServiceName | 'pgcopydb';

/** @returns the environment a program needs to find its libraries; nothing of the caller's locale or PG* settings */
export function binaryEnvironment(binary: { readonly libraryPath?: string }): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    ...(binary.libraryPath && { LD_LIBRARY_PATH: binary.libraryPath }),
  };
}
