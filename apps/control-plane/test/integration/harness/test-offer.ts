import { BY_URL, byName, type AgentOffer } from '../../../src/agent-link/messages/agent-heartbeat.js';

const NAMES = ['a', 'b', 'review', 'shop', 'shop_production', 'shop_review', 'shop_staging', 'staging', 'x'];

/**
 * Returns the offer of a test agent. By default, its policies cover URLs and every database name in `NAMES`.
 */
export function testOffer({ policies, ...changes }: Partial<AgentOffer> = {}): AgentOffer {
  const all = Object.fromEntries([BY_URL, ...NAMES.map(byName)].map((key) => [key, fingerprint('2')]));
  return { labels: [], maskingKey: fingerprint('1'), policies: policies ?? all, ...changes };
}

/**
 * Returns a fingerprint that repeats a digit.
 * @param digit a hexadecimal digit
 */
export function fingerprint(digit: string): string {
  return digit.repeat(32);
}
