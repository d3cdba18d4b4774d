import { findBinaries, postgresNamedBy, type PostgresBinaries } from '@understudy/stack';

/** Names a folder like UNDERSTUDY_STACK_PG_BIN_DIR: of the server that targets are on, where it is another one than the sources'. */
const TARGET = 'UNDERSTUDY_TEST_TARGET_PG_BIN_DIR';

/** @returns undefined: targets are on the server that sources are on */
export function targetPostgres(): PostgresBinaries | undefined {
  return postgresNamedBy(TARGET);
}

/**
 * @returns major versions of the servers that tests run on; 0 where none is installed yet. Known before one runs, so that a test of
 *   what it lacks can be declared as skipped
 */
export function postgresVersions(): { readonly source: number; readonly target: number } {
  const source = findBinaries().postgres?.majorVersion ?? 0;
  return { source, target: targetPostgres()?.majorVersion ?? source };
}
