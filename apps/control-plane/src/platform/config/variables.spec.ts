import { readConfiguration } from './configuration.js';
import { DESCRIBED_VARIABLES } from './variables.js';

describe('the documented variables of the control plane', () => {
  it('are those that the configuration reads', () => {
    const read = new Set<string>();
    const environment = new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      },
    );
    expect(() => readConfiguration(environment)).toThrow('UNDERSTUDY_DATABASE_URL is not set');
    expect(DESCRIBED_VARIABLES.map(({ name }) => name).sort()).toEqual([...read].sort());
  });
});
