import { FAILURES, isRetryable } from './failures.js';

it('treats only failures of the attempt as retryable, and no failure of the job itself', () => {
  const codes = [...Object.keys(FAILURES), 'a_code_of_a_newer_agent'];
  expect(codes.filter((code) => isRetryable({ code })).sort()).toEqual([
    'agent_disk_low',
    'agent_restarted',
    'connection_lost',
    'hosted_model_unavailable',
    'lease_lost',
    'snapshot_lost',
    'stalled',
    'tables_unavailable',
  ]);
});
