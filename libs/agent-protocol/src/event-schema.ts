import type { EventSchemaData } from './event-schema-data.js';
import { EVENT_SCHEMA_DATA } from './generated/understudy/v1/event_schema.js';

/**
 * Returns the named messages, the messages that they contain at any depth, and the enums of all these, in the
 * order of the file.
 * @throws Error if the file has no message with one of the names
 */
export function eventSchemaOf(roots: readonly string[]): EventSchemaData {
  const { messages, enums } = EVENT_SCHEMA_DATA;
  const byName = new Map(messages.map((message) => [message.name, message]));
  const missing = roots.find((name) => !byName.has(name));
  if (missing !== undefined) throw new Error(`event.proto has no message ${missing}`);
  const types = new Set(roots);
  for (const name of types) for (const { type } of byName.get(name)?.fields ?? []) types.add(type);
  return {
    messages: messages.filter(({ name }) => types.has(name)),
    enums: enums.filter(({ name }) => types.has(name)),
  };
}
