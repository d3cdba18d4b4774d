const MAX_CAUSES = 5;
/** What of an error may quote rows. JSON and logs leave it out; {@link withRowValues} puts it back. */
const WITHHELD = Symbol('withheld');
const MAY_QUOTE_ROWS = 'withheld: it may quote a row';

/** Fields of an error for a local log. */
export interface ErrorDetail {
  readonly [field: string]: unknown;
  readonly [WITHHELD]?: Readonly<Record<string, string>>;
}

/**
 * Code, place, and what else of an error and its causes quotes no row. Messages of PostgreSQL quote rows if they are about
 * data or come from a function of a user; DETAIL and CONTEXT do at any time, and so does what pg_dump and pg_restore write.
 * Not the driver's objects: they hold passwords.
 */
export function errorDetail(error: unknown): readonly ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (let at = error; at instanceof Error && details.length < MAX_CAUSES; at = at.cause) {
    details.push(detailOf(at));
  }
  return details;
}

/**
 * The facts of a log line with all that was withheld.
 * @param withViolations also DETAIL of invalid values and broken constraints (classes 22 and 23), which quotes whole keys and rows
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
    ...(detail === undefined || isViolation(String(rest['code'])) ? {} : { detail }),
    ...(stderr === undefined ? {} : { stderr: String(stderr).replace(/^.*DETAIL:.*\n?/gm, '') }),
  };
}

function detailOf(error: Error): ErrorDetail {
  const fields = error as unknown as Record<string, unknown>;
  const texts = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
    );
  const stack = error.stack?.slice(error.stack.search(/^ {4}at /m));
  const places = { ...texts('code', 'schema', 'table', 'column', 'constraint'), stack };
  if (typeof fields['stderr'] === 'string') {
    const { message } = error;
    const [firstLine] = message.split('\n');
    const told = { message: firstLine, stderr: programLines(fields['stderr']) };
    return { ...told, ...places, [WITHHELD]: { message, stderr: fields['stderr'] } };
  }
  if (typeof fields['severity'] !== 'string') return { message: error.message, ...places };
  const isPlain = QUOTES_NO_ROW.has(String(fields['code']).slice(0, 2));
  const hint = texts('hint');
  return {
    ...(isPlain ? { message: error.message, ...hint } : { message: MAY_QUOTE_ROWS }),
    ...places,
    [WITHHELD]: { message: error.message, ...hint, ...texts('detail', 'where') } as Record<string, string>,
  };
}

/** Classes of SQLSTATE whose messages are about the server, its objects and our statements. */
const QUOTES_NO_ROW: ReadonlySet<string> = new Set([
  ...['08', '0A', '25', '28', '3D', '3F', '40', '42', '53', '54', '55', '57', '58', 'XX'],
]);

function isViolation(sqlstate: string): boolean {
  return sqlstate.startsWith('22') || sqlstate.startsWith('23');
}

/** What pg_dump and pg_restore say themselves, without what they quote of the server. */
function programLines(stderr: string): string {
  return stderr
    .split('\n')
    .filter((line) => /^pg_\w+: (error|warning): /.test(line))
    .map((line) => line.replace(/ERROR: {2}(?!permission denied).*$/, `ERROR:  ${MAY_QUOTE_ROWS}`))
    .join('\n');
}

/**
 * Where the engine tells the operator of its own machine what no report may hold: details quote row values, names and messages of the
 * server. Never passwords.
 */
export interface EngineLog {
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}
