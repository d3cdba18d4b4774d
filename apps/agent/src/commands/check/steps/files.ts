import { timingSafeEqual } from 'node:crypto';

import type { AgentConfiguration } from '../../../config/agent-configuration.js';
import { ConfigurationError } from '../../../config/environment.js';
import type { StoredIdentity } from '../../../identity/identity-store.js';
import { readMaskingKey } from '../../../identity/read-masking-key.js';
import type { PolicyRules } from '../../../policy/policy-document.js';
import { readPolicyFile } from '../../../policy/read-policy-file.js';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';

/** Checks the file of the shared masking key. */
export async function checkMaskingKey(
  report: CheckReport,
  { maskingKeyFile }: AgentConfiguration,
  identity: StoredIdentity | undefined,
): Promise<void> {
  if (maskingKeyFile === undefined) {
    report.skip(
      'masking key',
      'UNDERSTUDY_AGENT_MASKING_KEY_FILE is not set; the agent has a key of its own',
    );
    return;
  }
  await report.step('masking key', async () => {
    const key = await explained(readMaskingKey(maskingKeyFile));
    if (identity !== undefined && key !== undefined && !timingSafeEqual(key, identity.maskingKey))
      throw new CheckFailure(
        'the key differs from the key that this agent has used so far',
        'unset UNDERSTUDY_AGENT_MASKING_KEY_FILE, or use an empty state folder',
      );
    return { facts: 'the file contains a valid key', value: undefined };
  });
}

/** Checks the policy file. @returns its rules, or undefined if they cannot be used */
export function checkPolicy(
  report: CheckReport,
  { policyFile }: AgentConfiguration,
): Promise<PolicyRules | undefined> {
  return report.step('policy', async () => {
    const rules = await explained(readPolicyFile(policyFile));
    const { databases, urls, columns } = rules;
    const patterns = columns.neverPreserve.length;
    return {
      facts: `${count(databases.size, 'database')}, ${count(urls.length, 'URL rule')}, ${count(patterns, 'pattern')} of never_preserve`,
      value: rules,
      ...(databases.size + urls.length === 0
        ? { warning: 'the policy permits no database, so no job can run; add one under databases' }
        : {}),
    };
  });
}

/** Converts a ConfigurationError, whose problems contain the remedy. */
async function explained<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CheckFailure(error.problems.join('; '), 'correct the file, then run the check again');
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
