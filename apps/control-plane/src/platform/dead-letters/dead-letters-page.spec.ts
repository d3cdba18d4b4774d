import { deadLettersPage } from './dead-letters-page.js';

const LETTER = {
  agentId: 'agt_1',
  organizationId: 'org_1',
  code: 'malformed',
  sqlstate: null,
  pattern: null,
  workId: null,
  journalSeq: '7',
  times: 3,
  firstAt: new Date('2026-01-01T00:00:00Z'),
  lastAt: new Date('2026-01-02T00:00:00Z'),
};

it('escapes every text that an agent can choose', () => {
  const hostile = `<script>alert("1")</script>'&`;
  const page = deadLettersPage([
    { ...LETTER, agentId: hostile, code: hostile, workId: hostile, pattern: hostile, sqlstate: hostile },
  ]);
  expect(page).not.toContain('<script>');
  expect(page.split('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;')).toHaveLength(6);
});

it('shows ids, codes and the number of deliveries of a message, and explains the codes', () => {
  const page = deadLettersPage([LETTER]);
  for (const text of ['agt_1', 'org_1', 'malformed', '2026-01-02T00:00:00.000Z', '>3</td>', 'Upgrade'])
    expect(page).toContain(text);
  expect(deadLettersPage([])).toContain('There are no dead letters.');
});
