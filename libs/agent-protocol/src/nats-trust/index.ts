export {
  accountClaims,
  agentAccountClaims,
  natsServerFiles,
  sameAccountClaims,
  type NatsServerFiles,
} from './account-claims.js';
export {
  natsServerConfiguration,
  type NatsCertificate,
  type NatsServerOptions,
  type NatsWebSocket,
} from './nats-server-configuration.js';
export { ACCEPTED_NATS_URLS, isAcceptedNatsUrl, isLoopback } from './nats-url.js';
export { createUserSeed, generateNatsSeeds, keyPairOf, type NatsSeeds } from './nats-seeds.js';
export { isSignedBy } from './system-key-pair.js';
export {
  AGENT_CONNECTION_LIMITS,
  agentUserClaims,
  trustedUser,
  type SignIn,
  type SubjectPermissions,
} from './user-claims.js';
