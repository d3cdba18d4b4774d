const MAX_CAUSES = 5;

/** Message, stack and PostgreSQL's fields of an error and its causes. Not the driver's objects: they hold passwords. */
export function errorDetail(error: unknown): readonly Record<string, unknown>[] {
  const details: Record<string, unknown>[] = [];
  for (let at = error; at instanceof Error && details.length < MAX_CAUSES; at = at.cause) {
    const fields = at as unknown as Record<string, unknown>;
    const detail: Record<string, unknown> = { message: at.message, stack: at.stack };
    for (const name of [
      'code',
      'detail',
      'hint',
      'where',
      'schema',
      'table',
      'column',
      'constraint',
      'stderr',
    ]) {
      if (typeof fields[name] === 'string') detail[name] = fields[name];
    }
    details.push(detail);
  }
  return details;
}
