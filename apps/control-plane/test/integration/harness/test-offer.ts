import { type AgentOffer, BY_URL, byName, type PolicySummary } from '@understudy/agent-protocol';

const NAMES = ['a', 'b', 'review', 'shop', 'shop_production', 'shop_review', 'shop_staging', 'staging', 'x'];

/**
 * Returns the offer of a test agent. By default, its policies cover URLs and every database name in `NAMES`.
 */
export function testOffer({ policies, ...changes }: Partial<AgentOffer> = {}): AgentOffer {
  const all = Object.fromEntries([BY_URL, ...NAMES.map(byName)].map((key) => [key, fingerprint('2')]));
  return { labels: [], maskingKey: fingerprint('1'), policies: policies ?? all, ...changes };
}

/** The summary of a policy with one database and no URLs. */
export const POLICY_SUMMARY: PolicySummary = {
  databases: { total: 1, source: 1, target: 0, snapshot: 1, restore: 0, replace: 1 },
  urls: { total: 0, source: 0, target: 0, snapshot: 0, restore: 0, replace: 0 },
  minSslmode: 'verify_full',
  allowPlaintext: false,
  neverPreserve: 3,
  protectText: true,
  mayPreserve: 2,
  rejectUnlisted: true,
  allowWhere: false,
  allowSourceCode: false,
  allowSuperuserTarget: false,
  allowTraining: true,
  minValuesFloor: 20,
  snapshotMinAgeHours: 48,
  keepReplacedHours: 24,
  reportNames: false,
  allowSharedSchemas: false,
  allowSecurityDefiner: true,
  allowLargeObjects: false,
  allowForeignServers: false,
  allowEndSessions: true,
  maxDatabaseBytes: 10 ** 12,
};

/**
 * Returns a fingerprint that repeats a digit.
 * @param digit a hexadecimal digit
 */
export function fingerprint(digit: string): string {
  return digit.repeat(32);
}
