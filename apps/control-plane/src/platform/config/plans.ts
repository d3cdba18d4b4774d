export const PLANS = ['free', 'starter', 'team', 'business'] as const;
export type Plan = (typeof PLANS)[number];

/**
 * The quotas of a plan. Jobs and API calls are counted per month. For endpoints and snapshots, the quota
 * limits how many exist at the same time.
 */
export const QUOTAS = ['sync_jobs', 'endpoints', 'snapshots', 'api_calls'] as const;
export type Quota = (typeof QUOTAS)[number];

const LIMITS = ['requests_per_minute', 'burst', 'model_bytes', ...QUOTAS] as const;

const MIB = 1024 * 1024;

/**
 * The limits of a plan. `burst` is the number of requests that are allowed in addition to `requests_per_minute`.
 * `model_bytes` is the total size of all custom models.
 */
export type PlanLimits = Readonly<Record<(typeof LIMITS)[number], number>>;
export type AllPlanLimits = Readonly<Record<Plan, PlanLimits>>;

export const DEFAULT_PLAN_LIMITS: AllPlanLimits = {
  free: {
    requests_per_minute: 60,
    burst: 10,
    model_bytes: 64 * MIB,
    sync_jobs: 5,
    endpoints: 1,
    snapshots: 2,
    api_calls: 10_000,
  },
  starter: {
    requests_per_minute: 300,
    burst: 50,
    model_bytes: 256 * MIB,
    sync_jobs: 50,
    endpoints: 10,
    snapshots: 10,
    api_calls: 100_000,
  },
  team: {
    requests_per_minute: 1_000,
    burst: 100,
    model_bytes: 1_024 * MIB,
    sync_jobs: 500,
    endpoints: 50,
    snapshots: 50,
    api_calls: 1_000_000,
  },
  business: {
    requests_per_minute: 5_000,
    burst: 500,
    model_bytes: 6_400 * MIB,
    sync_jobs: 5_000,
    endpoints: 500,
    snapshots: 500,
    api_calls: 10_000_000,
  },
};

/** Limits by which an operator overrides the defaults. */
export type PlanLimitChanges = Readonly<Partial<Record<Plan, Readonly<Partial<PlanLimits>>>>>;

export function withChanges(defaults: AllPlanLimits, changes: PlanLimitChanges = {}): AllPlanLimits {
  const changed = PLANS.map(
    (plan) => [plan, Object.freeze({ ...defaults[plan], ...changes[plan] })] as const,
  );
  return Object.freeze(Object.fromEntries(changed) as Record<Plan, PlanLimits>);
}

/**
 * Reads the limits that override the defaults.
 * @param value parsed JSON: an object with plans as keys. Each value is an object of limits, which are
 *   integers of at least 0.
 * @returns undefined if the value is invalid or contains an unknown plan or limit
 */
export function readPlanLimitChanges(value: unknown): PlanLimitChanges | undefined {
  if (!isObjectOf(PLANS, value)) return undefined;
  const valid = Object.values(value).every(
    (limits) => isObjectOf(LIMITS, limits) && Object.values(limits).every(isLimit),
  );
  return valid ? (value as PlanLimitChanges) : undefined;
}

function isObjectOf(keys: readonly string[], value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((key) => keys.includes(key));
}

function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
