import type { EventSchemaData } from './event-schema-data.js';
import { eventSchemaOf } from './event-schema.js';

const CONCERNING_JOBS = eventSchemaOf(['SyncJobEvent', 'SyncTargetCleared', 'Lease', 'AgentFingerprint']);

/** The messages that an agent can send about a sync job, including the envelope of each event. */
export const JOB_SCHEMA: EventSchemaData = {
  ...CONCERNING_JOBS,
  messages: [...envelope(), ...CONCERNING_JOBS.messages],
};

/** Returns the message Event without its fields for other kinds of work. */
function envelope() {
  const known = new Set(CONCERNING_JOBS.messages.map(({ name }) => name));
  return eventSchemaOf(['Event'])
    .messages.filter(({ name }) => name === 'Event')
    .map((event) => ({
      ...event,
      fields: event.fields.filter(({ kind, type }) => kind !== 'message' || known.has(type)),
    }));
}
