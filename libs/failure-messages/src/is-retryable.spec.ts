import { isRetryable } from './is-retryable.js';
import { MESSAGES } from './messages.js';

it('six failures are of the attempt and not of the work, and no other is', () => {
  const codes = [...Object.keys(MESSAGES), 'a_code_of_a_newer_agent'];
  expect(codes.filter((code) => isRetryable({ code })).sort()).toEqual([
    'agent_restarted',
    'connection_lost',
    'hosted_model_unavailable',
    'lease_lost',
    'snapshot_lost',
    'stalled',
  ]);
});
