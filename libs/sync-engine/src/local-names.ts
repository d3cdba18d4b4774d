import type { SwapBlocker } from '@understudy/database-swap';
import type { EngineLog } from '@understudy/postgres';
import type { LeftOutKind } from '@understudy/sync-job';

/** Names from the catalogs that a report to the control plane only counts. */
export type LocalNames =
  | { readonly about: 'unlisted_tables'; readonly tables: readonly string[] }
  /** The parts of missing tables that the job does not create, such as `trigger t on public.people`. */
  | { readonly about: 'omitted'; readonly objects: readonly string[] }
  | { readonly about: 'left_out'; readonly objects: readonly LeftOutObject[] }
  /** The foreign keys between tables of the job that rows of the source break, with the number of these rows. */
  | { readonly about: 'orphans'; readonly keys: readonly OrphanCount[] }
  /** The objects of a replaced database that the source does not have. */
  | { readonly about: 'target_only'; readonly objects: readonly LeftOutObject[] }
  /** The objects of the source whose definitions mention a person. */
  | { readonly about: 'personal_definitions'; readonly objects: readonly string[] }
  /** How much room a new database needs on the disk of its server, and how much the target and its kept databases take. */
  | { readonly about: 'room'; readonly neededBytes: number; readonly heldBytes: number }
  /** The functions of a new database that run with the rights of their caller, but not on the source. */
  | { readonly about: 'made_invoker'; readonly objects: readonly string[] }
  /** The roles that objects of a new database should have, and that the target's server does not have. */
  | { readonly about: 'missing_roles'; readonly roles: readonly string[] }
  /** The objects that roles may use on the source, but not in the new database, by their kind and identity. */
  | { readonly about: 'ungranted'; readonly objects: readonly string[] }
  /** The sessions and settings that prevent a replacement of the target. */
  | { readonly about: 'in_the_way'; readonly blockers: readonly SwapBlocker[] }
  /** The objects of the source that the job leaves out, by their kind and identity. */
  | { readonly about: 'excluded'; readonly objects: readonly string[] }
  /** The statements that refresh materialized views which the job did not refresh, in order of dependence. */
  | { readonly about: 'not_refreshed'; readonly statements: readonly string[] };

export interface OrphanCount {
  readonly table: string;
  readonly key: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface LeftOutObject {
  readonly kind: LeftOutKind;
  /** The identity that PostgreSQL gives the object, such as `public.f(integer)`. */
  readonly name: string;
}

/** Gives names to the log of this machine, and to the caller of the engine. */
export function logNames(
  { log, onNames }: { readonly log: EngineLog; readonly onNames?: (names: LocalNames) => void },
  names: LocalNames,
): void {
  const { about, ...listed } = names;
  log.info(listed, LOG_MESSAGES[about]);
  onNames?.(names);
}

const LOG_MESSAGES: Readonly<Record<LocalNames['about'], string>> = {
  unlisted_tables: 'the source has tables that the job neither lists nor ignores',
  omitted: 'the job leaves out code of the source',
  left_out: 'the source has objects that the target does not have',
  orphans: 'rows of the source reference rows that the copy does not have',
  target_only: 'the target has objects that the source does not have',
  personal_definitions: 'definitions of the source mention a person, and are copied unchanged',
  room: 'the job builds a database beside the target',
  made_invoker: 'functions of the source are SECURITY DEFINER, and were made SECURITY INVOKER',
  excluded: 'the new database does not get objects of the source that the job leaves out',
  missing_roles: 'the server of the target does not have roles of the source',
  ungranted: 'roles have privileges on objects of the source, which the target lacks',
  in_the_way: 'something will be in the way when the target is replaced',
  not_refreshed: 'materialized views of the target were not refreshed',
};
