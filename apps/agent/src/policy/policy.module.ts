import { Global, Module } from '@nestjs/common';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { Policy } from './policy.js';
import { readPolicyFile } from './read-policy-file.js';

@Global()
@Module({
  providers: [
    {
      provide: Policy,
      inject: [AgentConfiguration],
      useFactory: async ({ policyFile }: AgentConfiguration) => new Policy(await readPolicyFile(policyFile)),
    },
  ],
  exports: [Policy],
})
export class PolicyModule {}
