import { queryOf, readJobFilters } from './job-filters.js';

const NOW = Date.parse('2026-03-01T12:00:30.500Z');
const AGENT = 'agt_01K00000000000000000000001';

describe('readJobFilters', () => {
  it('keeps known values', () => {
    const filters = { status: 'failed', name: 'shop', agent: AGENT, within: '24h', sort: '-name' };
    expect(readJobFilters({ ...filters })).toEqual(filters);
  });

  it('reads a name that the router has read as a number', () => {
    expect(readJobFilters({ name: 2026 })).toEqual({ name: '2026' });
  });

  it('leaves out unknown values, blank names and the default order', () => {
    const search = { status: 'lost', name: ' ', agent: 'agt_1', within: '3y', sort: '-created_at', other: 1 };
    expect(readJobFilters(search)).toEqual({});
    expect(readJobFilters({ name: ['a'], agent: [AGENT], status: ['failed'] })).toEqual({});
  });

  it('shortens a name to the longest one that the API accepts', () => {
    expect(readJobFilters({ name: 'x'.repeat(201) }).name).toHaveLength(200);
  });
});

describe('queryOf', () => {
  it('begins a span at a full minute', () => {
    expect(queryOf({ within: '1h' }, NOW)).toEqual({
      tables: 'none',
      created_after: '2026-03-01T11:00:00.000Z',
    });
  });

  it('has the names of the API', () => {
    expect(queryOf({ status: 'failed', name: 'shop', agent: AGENT, sort: 'name' }, NOW)).toEqual({
      ...{ tables: 'none', status: 'failed', name: 'shop', agent_id: AGENT, sort: 'name' },
    });
  });
});
