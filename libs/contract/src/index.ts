export * from './generated/understudy/v1/acknowledgement_pb.js';
export * from './generated/understudy/v1/command_pb.js';
export * from './generated/understudy/v1/event_pb.js';
export { enumName, enumValue, type EnumName } from './enum-names.js';
export type { EventEnum, EventField, EventMessage, EventSchemaData } from './event-schema-data.js';
export { eventSchemaOf } from './event-schema.js';
