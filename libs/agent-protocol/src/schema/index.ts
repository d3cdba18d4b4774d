export * from '../generated/understudy/v1/acknowledgement_pb.js';
export * from '../generated/understudy/v1/command_pb.js';
export * from '../generated/understudy/v1/event_pb.js';
export { enumName, enumValue, type EnumName } from './enum-names.js';
