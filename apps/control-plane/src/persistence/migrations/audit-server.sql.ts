const hasConstraints = (types: readonly string[], withoutId: readonly string[]): string => `
  ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_actor_known,
    DROP CONSTRAINT audit_entries_actor_has_id,
    ADD CONSTRAINT audit_entries_actor_known CHECK (actor_type IN (${quoted(types)})),
    ADD CONSTRAINT audit_entries_actor_has_id CHECK ((actor_id IS NULL) = (actor_type IN (${quoted(withoutId)})))`;

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}

const CALLERS = ['token', 'member', 'agent'];

/** The server does things by itself too. */
export const KNOW_SERVER_AS_ACTOR = hasConstraints(
  [...CALLERS, 'command_line', 'server'],
  ['command_line', 'server'],
);

/** Fails when the server has done something: entries are never deleted. */
export const FORGET_SERVER_AS_ACTOR = hasConstraints([...CALLERS, 'command_line'], ['command_line']);
