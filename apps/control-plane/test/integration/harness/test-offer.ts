import { BY_URL, byName, type AgentOffer } from '../../../src/agent-link/messages/agent-heartbeat.js';

const NAMES = ['a', 'b', 'review', 'shop', 'shop_production', 'shop_review', 'shop_staging', 'staging', 'x'];

/** What an agent of a test offers: the databases that tests name, URLs, and what the test changes. */
export function testOffer({ policies, ...changes }: Partial<AgentOffer> = {}): AgentOffer {
  const all = Object.fromEntries([BY_URL, ...NAMES.map(byName)].map((key) => [key, fingerprint('2')]));
  return { labels: [], maskingKey: fingerprint('1'), policies: policies ?? all, ...changes };
}

/** @param digit of hex */
export function fingerprint(digit: string): string {
  return digit.repeat(32);
}
