export { findToolchain, type Toolchain } from '@understudy/stack';
export {
  postgresVersions,
  targetPostgres,
  startTestServices,
  type TestServices,
  waitFor,
} from './test-services.js';
export { SmallDisk } from './small-disk.js';
export { TestAuthority, type TestCertificate } from './test-certificates.js';
export { TcpRecorder } from './tcp-recorder.js';
export { TestNats, type TestNatsOptions } from './test-nats.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
export { hasBucketServer, startTestBucketServer, type TestBucketServer } from './test-bucket.js';
