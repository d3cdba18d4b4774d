export {
  accountClaims,
  agentAccountClaims,
  natsServerFiles,
  sameAccountClaims,
  type NatsServerFiles,
} from './account-claims.js';
export { natsServerConfiguration, type NatsServerPlace } from './nats-server-configuration.js';
export { generateNatsSeeds, keyPairOf, type NatsSeeds } from './nats-seeds.js';
export { isSignedBy } from './system-key-pair.js';
export { agentUserClaims, trustedUser, type SignIn, type SubjectPermissions } from './user-claims.js';
