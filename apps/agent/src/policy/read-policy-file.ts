import { readFile } from 'node:fs/promises';

import { ConfigurationError, environmentVariable } from '../config/environment.js';
import { parsePolicy, type PolicyRules } from './policy-document.js';

/**
 * Reads and parses the policy file. Takes connection URLs from the environment variables that the file names.
 * @throws ConfigurationError that lists all problems; the message contains names but never URLs
 */
export async function readPolicyFile(path: string): Promise<PolicyRules> {
  return parsePolicy(await readText(path), environmentVariable);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? 'unreadable';
    throw new ConfigurationError('The policy file cannot be read', [`UNDERSTUDY_AGENT_POLICY_FILE: ${code}`]);
  }
}
