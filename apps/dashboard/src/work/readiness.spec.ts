import fc from 'fast-check';

import { readinessOf } from './readiness.js';

const agent = fc.record({
  status: fc.constantFrom('live', 'away', 'revoked'),
  databases: fc.array(fc.constantFrom('shop', 'copy'), { maxLength: 2 }),
});

describe('the readiness of an organisation', () => {
  it('needs an agent, and then a database that an agent offers', () => {
    expect(readinessOf([])).toBe('no_agent');
    expect(readinessOf([{ status: 'live', databases: [] }])).toBe('no_database');
    expect(readinessOf([{ status: 'away', databases: ['shop'] }])).toBe('ready');
  });

  it('does not depend on revoked agents', () => {
    fc.assert(
      fc.property(fc.array(agent), (agents) => {
        const kept = agents.filter(({ status }) => status !== 'revoked');
        expect(readinessOf(agents)).toBe(readinessOf(kept));
        expect(readinessOf(agents) === 'no_agent').toBe(kept.length === 0);
      }),
    );
  });
});
