import { readAgentConfiguration } from './agent-configuration.js';
import { VARIABLES } from './variables.js';

describe('the documented variables of the agent', () => {
  it('are those that the configuration reads', () => {
    const read = new Set<string>();
    const environment = new Proxy<Record<string, string | undefined>>(
      {
        UNDERSTUDY_CONTROL_URL: 'https://understudy.example.com/v1',
        UNDERSTUDY_AGENT_STATE_DIR: '/var/lib/understudy-agent',
        UNDERSTUDY_AGENT_POLICY_FILE: '/etc/understudy/policy.yaml',
        UNDERSTUDY_AGENT_SNAPSHOT_BUCKET: 'shop-snapshots',
      },
      {
        get: (target, name) => {
          read.add(String(name));
          return target[String(name)];
        },
      },
    );
    readAgentConfiguration(environment);
    read.delete('AWS_REGION');
    expect([...read].sort()).toEqual(
      Object.values(VARIABLES)
        .map(({ name }) => name)
        .sort(),
    );
  });
});
