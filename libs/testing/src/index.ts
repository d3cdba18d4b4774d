export { findChromium, findNewestGo, findToolchain, type Toolchain } from './provision/toolchains.js';
export { describeUnless, describeWith, itUnless, reasonToSkip } from './require-toolchain.js';
export { casesOf, inBoth, inRelease, it } from './test-run.js';
export {
  postgresVersions,
  targetPostgres,
  startTestServices,
  type TestServices,
  waitFor,
} from './test-services.js';
export { perWorker } from './shared/per-worker.js';
export { sharedTestServices, type SharedTestServices } from './shared/shared-services.js';
export { SmallDisk } from './small-disk.js';
export { startStandby, type Standby } from './standby.js';
export { TestAuthority, type TestCertificate } from './test-certificates.js';
export { TcpRecorder } from './tcp-recorder.js';
export { TestNats, type TestNatsOptions } from './test-nats.js';
export {
  startTestIssuer,
  type TestAccount,
  type TestIssuer,
  type TestIssuerOptions,
} from './oidc/test-issuer.js';
export { TestProxy, type TestProxyOptions } from './test-proxy.js';
export { createPreparedDatabase, createTestDatabase, type TestDatabase } from './test-database.js';
export { startTestBucketServer, type TestBucketServer } from './bucket/test-bucket.js';
export { connectNamespaces, NetworkNamespace } from './networks/network-namespace.js';
export { PacketCapture } from './networks/packet-capture.js';
export type { Packet } from './networks/packets.js';
export { findPlaintext, type AllowedPlaintext } from './networks/plaintext.js';
export type { RelaySettings } from './networks/tcp-relay.js';
export { tcpStreams, type TcpStream } from './networks/tcp-streams.js';
export {
  API_PORT,
  CONTROL_ADDRESS,
  LINK,
  PROXY_PORT,
  WEBSOCKET_PORT,
  type TwoNetworksOptions,
} from './networks/network-plan.js';
export { TwoNetworks } from './networks/two-networks.js';
export { DATABASE_OWNER, DATABASES } from './networks/customer-side.js';
export {
  asLeastPrivileged,
  asReplacer,
  asSource,
  asTarget,
  createOwnedDatabase,
  type LeastPrivilege,
} from './least-privilege.js';
export {
  copiedCustomers,
  CUSTOMERS,
  restoredCustomers,
  revertedStaging,
  storedJobs,
  untilRunning,
  withLock,
  type LiveDatabases,
} from './live/live-databases.js';
export { asOrdinaryUser, BUILT_PROGRAMS, type ProgramFiles } from './live/program.js';
export { WebhookReceiver, type ReceivedWebhook } from './live/webhook-receiver.js';
export { LiveSystem, type LiveOrganization, type LiveSystemOptions } from './live/live-system.js';
