import { isDocumentedSqlstate } from './documented-sqlstates.js';

const MAX_CAUSES = 5;
const MAX_PARALLEL_CAUSES = 20;
/** The key of the fields that may quote rows. JSON and logs omit them; {@link withRowValues} restores them. */
const WITHHELD = Symbol('withheld');
const MAY_QUOTE_ROWS = 'withheld: it may quote a row';

/** The fields of an error for a local log. */
export interface ErrorDetail {
  readonly [field: string]: unknown;
  readonly [WITHHELD]?: Readonly<Record<string, string>>;
}

/**
 * Returns the fields of an error and its causes that quote no row, such as code and table. Replaces an AggregateError
 * by its first errors. A message of PostgreSQL may quote rows if it concerns data or if a function ran. A value of a row
 * may also be the name of a missing object. DETAIL, CONTEXT and the output of pg_dump and pg_restore may quote rows in any
 * error. Omits the driver's objects, because they contain passwords.
 * @param isKnown whether the catalogs have this name of a schema, table, column or constraint. A function can raise
 * errors with any name, so other names are withheld.
 */
export function errorDetail(
  error: unknown,
  isKnown: (name: string) => boolean = () => false,
): readonly ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (let at = error; at instanceof Error && details.length < MAX_CAUSES; at = at.cause) {
    if (at instanceof AggregateError) {
      const parts: readonly unknown[] = at.errors.slice(0, MAX_PARALLEL_CAUSES);
      return [...details, ...parts.flatMap((part) => errorDetail(part, isKnown))];
    }
    details.push(detailOf(at, isKnown));
  }
  return details;
}

/**
 * Returns the facts of a log line and adds the fields that {@link errorDetail} withheld.
 * @param withViolations whether to include the DETAIL of errors of the SQLSTATE classes 22 (invalid value)
 * and 23 (violated constraint), and DETAIL in the output of pg_dump and pg_restore. DETAIL quotes whole keys
 * and rows.
 */
export function withRowValues(facts: object, withViolations: boolean): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item: unknown) => shown(item, withViolations)) : (value as unknown),
    ]),
  );
}

function shown(item: unknown, withViolations: boolean): unknown {
  if (typeof item !== 'object' || item === null || !(WITHHELD in item)) return item;
  const { [WITHHELD]: withheld = {}, ...rest } = item as ErrorDetail;
  const all = { ...rest, ...withheld };
  if (withViolations) return all;
  const { detail, stderr, ...others } = all;
  return {
    ...others,
    ...(detail === undefined || isViolation(String(all['code'])) ? {} : { detail }),
    ...(stderr === undefined ? {} : { stderr: String(stderr).replace(/^.*DETAIL:.*\n?/gm, '') }),
  };
}

function detailOf(error: Error, isKnown: (name: string) => boolean): ErrorDetail {
  const fields = error as unknown as Record<string, unknown>;
  const texts = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
    );
  const stack = error.stack?.slice(error.stack.search(/^ {4}at /m));
  const facts = { ...texts('code'), stack };
  if (typeof fields['stderr'] === 'string') {
    const { message } = error;
    const [firstLine] = message.split('\n');
    const printed = { message: firstLine, stderr: programLines(fields['stderr']) };
    return { ...printed, ...facts, [WITHHELD]: { message, stderr: fields['stderr'] } };
  }
  if (typeof fields['severity'] !== 'string') return { message: error.message, ...facts };
  const names = texts('schema', 'table', 'column', 'constraint') as Record<string, string>;
  const shownNames = Object.entries(names).map(([field, name]) => [
    field,
    isKnown(name) ? name : MAY_QUOTE_ROWS,
  ]);
  const isPlain = !mayQuoteRow(fields) && !ranFunction(fields['where']);
  const hint = texts('hint');
  return {
    ...(isPlain ? { message: error.message, ...hint } : { message: MAY_QUOTE_ROWS }),
    ...facts,
    ...(isDocumentedSqlstate(String(fields['code'])) ? {} : { code: MAY_QUOTE_ROWS }),
    ...(Object.fromEntries(shownNames) as Record<string, string>),
    [WITHHELD]: {
      ...{ message: error.message, ...names },
      ...texts('code', 'hint', 'detail', 'where'),
    } as Record<string, string>,
  };
}

/** Tests whether the SQLSTATE permits a message that quotes a row. */
function mayQuoteRow({ code, position }: Record<string, unknown>): boolean {
  const sqlstate = String(code);
  if (!QUOTES_NO_ROW.has(sqlstate.slice(0, 2))) return true;
  // The message has a position if it concerns a statement. Otherwise, a row may contain the text, as in `name::regclass`.
  return OF_TEXTS.has(sqlstate) && position === undefined;
}

/** The SQLSTATEs of wrong syntax, and of unknown, ambiguous or invalid names. */
const OF_TEXTS: ReadonlySet<string> = new Set([
  ...['3F000', '42601', '42602', '42703', '42704', '42725', '42883', '42P01'],
]);

/** Tests whether the context of an error names a function, which can choose every field of the error. */
function ranFunction(where: unknown): boolean {
  return typeof where === 'string' && !where.split('\n').every((line) => CONTEXT_OF_SERVER.test(line));
}

const CONTEXT_OF_SERVER = /^(?:COPY |while |parallel worker$|SQL statement "SELECT 1 FROM )/;

/** The classes of SQLSTATE whose messages concern the server, its objects or our statements, but never rows. */
const QUOTES_NO_ROW: ReadonlySet<string> = new Set([
  ...['08', '0A', '25', '28', '3D', '3F', '40', '42', '53', '54', '55', '57', '58', 'XX'],
]);

function isViolation(sqlstate: string): boolean {
  return sqlstate.startsWith('22') || sqlstate.startsWith('23');
}

/** Returns the messages of pg_dump and pg_restore, without the server's messages that they quote. */
function programLines(stderr: string): string {
  return (
    stderr
      .split('\n')
      .filter((line) => /^pg_\w+: (error|warning): /.test(line))
      // Servers translate the word ERROR, but not the two blanks after it.
      .map((line) => line.replace(/(\S+): {2}(?!permission denied).*$/, `$1:  ${MAY_QUOTE_ROWS}`))
      .join('\n')
  );
}

/**
 * The engine's local log, for the operator of the engine's machine. Unlike reports, log entries may quote row
 * values, names, and messages of the server. Log entries never contain passwords.
 */
export interface EngineLog {
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}
