import { WordLists } from '@understudy/personal-data';

import { evaluate, precision, recall } from './evaluate.js';
import type { LabelledColumn } from './labelled-columns.js';

const column = (name: string, label: LabelledColumn['label']): LabelledColumn => ({
  ...{ table: 't', column: name, type: 'text', values: [], label },
});

it('counts right, wrong and missed columns, and ignores ambiguous ones', () => {
  const columns = [
    column('email', 'email'),
    column('phone', 'none'),
    column('zzz', 'iban'),
    column('ssn', 'card'),
    column('fax', 'either'),
  ];
  const { columns: counted, personal, kinds, misses } = evaluate(columns, new WordLists(new Map()));
  expect(counted).toBe(4);
  expect(personal).toEqual({ right: 2, wrong: 1, missed: 1 });
  expect([precision(personal), recall(personal)]).toEqual([2 / 3, 2 / 3]);
  expect(kinds.get('card')).toEqual({ right: 0, wrong: 0, missed: 1 });
  expect(kinds.get('national_id')).toEqual({ right: 0, wrong: 1, missed: 0 });
  expect(misses.map((miss) => miss.found)).toEqual(['phone', 'none', 'national_id']);
  expect([precision({ right: 0, wrong: 0, missed: 0 }), recall({ right: 0, wrong: 0, missed: 0 })]).toEqual([
    1, 1,
  ]);
});
