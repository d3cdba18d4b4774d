import { type Declaration, readDeclared } from './declaration.js';
import type { FieldProblem } from './field-problem.js';

/** The fields of a job file that stand for keys of an agent's policy. Each has the name and the default of its key. */
export interface PolicyFields {
  readonly allow_security_definer: boolean;
  readonly allow_large_objects: boolean;
  readonly allow_foreign_servers: boolean;
  readonly allow_end_sessions: boolean;
  /** Null for any size. */
  readonly max_database_bytes: number | null;
}

const DEFAULTS: PolicyFields = {
  allow_security_definer: false,
  allow_large_objects: false,
  allow_foreign_servers: false,
  allow_end_sessions: false,
  max_database_bytes: null,
};

const DECLARATION = {
  type: 'object',
  properties: {
    allow_security_definer: { type: 'boolean' },
    allow_large_objects: { type: 'boolean' },
    allow_foreign_servers: { type: 'boolean' },
    allow_end_sessions: { type: 'boolean' },
    max_database_bytes: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  } satisfies Readonly<Record<keyof PolicyFields, Declaration>>,
} as const;

export const POLICY_FIELDS: readonly string[] = Object.keys(DEFAULTS);

/** Reads the fields of a job file. An invalid field is added to `problems`, and has its default. */
export function readPolicyFields(
  file: Readonly<Record<string, unknown>>,
  problems: FieldProblem[],
): PolicyFields {
  return { ...DEFAULTS, ...(readDeclared(DECLARATION, file, '', problems) as Partial<PolicyFields>) };
}
