import { readFile } from 'node:fs/promises';

import { Global, Module } from '@nestjs/common';

import { AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';
import { environmentVariable } from '../config/environment.js';
import { parsePolicy } from './policy-document.js';
import { Policy } from './policy.js';

@Global()
@Module({
  providers: [
    {
      provide: Policy,
      inject: [AgentConfiguration],
      useFactory: async ({ policyFile }: AgentConfiguration) =>
        new Policy(parsePolicy(await readPolicyFile(policyFile), environmentVariable)),
    },
  ],
  exports: [Policy],
})
export class PolicyModule {}

async function readPolicyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? 'unreadable';
    throw new ConfigurationError('The policy file cannot be read', [`UNDERSTUDY_AGENT_POLICY_FILE: ${code}`]);
  }
}
