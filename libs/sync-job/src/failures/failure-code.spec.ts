import { isRetryable } from './failure-code.js';
import { MESSAGES } from './messages.js';

it('lists every failure of the attempt, and none of the work', () => {
  const codes = [...Object.keys(MESSAGES), 'a_code_of_a_newer_agent'];
  expect(codes.filter((code) => isRetryable({ code })).sort()).toEqual([
    'agent_disk_low',
    'agent_restarted',
    'connection_lost',
    'hosted_model_unavailable',
    'lease_lost',
    'snapshot_lost',
    'stalled',
  ]);
});
