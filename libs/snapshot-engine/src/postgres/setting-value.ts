import { quoteLiteral } from '@understudy/sync-engine';

/** Settings that are lists of names, kept as text that names are quoted in (`GUC_LIST_QUOTE`; pg_dump has the same list). */
const LISTS = new Set([
  'local_preload_libraries',
  'search_path',
  'session_preload_libraries',
  'shared_preload_libraries',
  'temp_tablespaces',
  'unix_socket_directories',
]);

/** The right side of `SET name TO …` that gives a setting the text that the catalog has of it. */
export function settingValue(name: string, text: string): string {
  if (!LISTS.has(name)) return quoteLiteral(text);
  const names = [...text.matchAll(NAME)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
  return names.length === 0 ? "''" : names.map(quoteLiteral).join(', ');
}

const NAME = /"((?:[^"]|"")*)"|([^\s,"]+)/g;
