export { findToolchain, type Toolchain } from '@understudy/stack';
export { postgresVersions, targetPostgres } from './postgres-version.js';
export { SmallDisk } from './small-disk.js';
export { TcpRecorder } from './tcp-recorder.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
export { hasBucketServer, startTestBucketServer, type TestBucketServer } from './test-bucket.js';
export { startTestServices, type TestServices } from './test-services.js';
export { waitFor } from './wait-for.js';
