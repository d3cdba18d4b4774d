import { create } from '@bufbuild/protobuf';
import type { VerificationCheck } from '@understudy/sync-job';

import { AGENT_CONNECTION_LIMITS } from '../nats-trust/user-claims.js';
import { encodeSyncJobEvent } from './sync-job-event.js';
import { verificationOf, wireVerification } from './verification.js';
import { VerificationSchema } from '../schema/index.js';

const TABLES = 20_000;
const ROWS = 10 ** 12;
const tables = Array.from({ length: TABLES }, (_, index) => index);
const KINDS = ['preserved_columns', 'masked_columns', 'foreign_keys', 'joins'] as const;

describe('the verification of a job with the largest number of tables', () => {
  const checks: VerificationCheck[] = tables.flatMap((tableIndex): VerificationCheck[] => [
    { kind: 'row_count', tableIndex, ok: true, rows: { source: ROWS, copied: ROWS, target: ROWS } },
    ...KINDS.map((kind) => ({ kind, tableIndex, ok: tableIndex !== TABLES - 1, lookedAt: 1_600 })),
  ]);

  it('fits into one message with the counts of all tables', () => {
    const body = {
      type: 'completed' as const,
      tables: tables.map((tableIndex) => ({
        ...{ tableIndex, rowsProcessed: ROWS, rowsTotal: ROWS, bytesProcessed: ROWS, bytesTotal: ROWS },
        state: 'completed' as const,
      })),
      ...{ durationMs: 1, warnings: [], phases: [], verification: { checks } },
    };
    const lease = { jobId: `job_${'0'.repeat(26)}`, epoch: 1 };
    const { bytes } = encodeSyncJobEvent(1, { lease, seq: 1, occurredAt: new Date(0), body });
    expect(bytes.length).toBeLessThan(AGENT_CONNECTION_LIMITS.payload * 0.9);
  });

  it('keeps all checks that have failed', () => {
    const { checks: sent } = verificationOf(create(VerificationSchema, wireVerification({ checks })));
    expect(sent.filter(({ ok }) => !ok)).toHaveLength(KINDS.length);
    expect(sent.length).toBeLessThan(checks.length);
  });
});
