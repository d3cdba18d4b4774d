import { namesText } from './names-text.js';

describe('the names that a terminal shows', () => {
  it('are grouped by kind, and cut after 20', () => {
    const views = Array.from({ length: 22 }, (_, i) => ({ kind: 'views' as const, name: `v${i}` }));
    const objects = [...views, { kind: 'materialized_views' as const, name: 'm' }];
    expect(namesText({ about: 'left_out', objects })).toEqual([
      'not in the target:',
      `  22 views: ${Array.from({ length: 20 }, (_, i) => `v${i}`).join(', ')} and 2 more`,
      '  1 materialized view: m',
    ]);
  });

  it('include the columns of keys and the number of rows that break them', () => {
    const keys = [{ table: '"public"."people"', key: 'of_team', columns: ['team', 'club'], rows: 2 }];
    expect(namesText({ about: 'orphans', keys })).toEqual([
      'rows that reference rows which the copy does not have:',
      '  "public"."people": 2, by of_team (team, club)',
    ]);
  });

  it('cannot start another line or command a terminal', () => {
    const objects = ['f\n\u001b[31mdone'];
    expect(namesText({ about: 'omitted', objects })[1]).toBe('  f\\u000a\\u001b[31mdone');
  });

  it('include every statement that refreshes a view', () => {
    const statements = Array.from({ length: 30 }, (_, i) => `REFRESH MATERIALIZED VIEW v${i};`);
    expect(namesText({ about: 'not_refreshed', statements })).toHaveLength(31);
  });
});
