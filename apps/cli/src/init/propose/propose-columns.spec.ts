import type { Kind } from '@understudy/personal-data';

import type { DetectedTable, PersonalColumn } from '../detect/detected-table.js';
import { proposeColumns } from './propose-columns.js';

function column(name: string, kind: Kind, votes: Record<string, number>): PersonalColumn {
  return {
    column: {
      ...{ name, type: 'text', sqlType: 'text', isArray: false, isComposite: false, fields: 0 },
      ...{ partTypes: [], partNames: [], notNull: true, isGenerated: false, computedFrom: [] },
      decidesPartition: false,
    },
    found: {
      detection: { kind, because: { name: 'strong', type: true } },
      values: [],
      votes: new Map(Object.entries(votes)),
    },
  };
}

function table(...personal: PersonalColumn[]): DetectedTable {
  return {
    table: {
      ...{ oid: '1', schema: 'public', table: 'people', estimatedRows: 10 },
      ...{ columns: personal.map((one) => one.column), unique: [], derivedKeys: [] },
      checkedColumns: new Set(),
    } as unknown as DetectedTable['table'],
    ...{ personal, rows: { read: 10, sampled: 10, share: 1 }, undecided: [], fixed: [], unreadColumns: [] },
  };
}

describe('proposeColumns', () => {
  it('uses one locale for the first and the last names of a table', () => {
    const people = table(
      // Many Czech first names are also German ones.
      column('first', 'first_name', { de_DE: 9, cs_CZ: 5 }),
      column('last', 'last_name', { cs_CZ: 10 }),
      column('town', 'city', { de_DE: 20 }),
      column('mail', 'email', {}),
    );
    const [first, last, town] = proposeColumns([people], [], undefined).map(
      ({ candidates }) => candidates[0]?.['generator'],
    );
    expect([first, last, town]).toEqual([
      'cs_CZ/female_first_names',
      'cs_CZ/female_last_names',
      'de_DE/cities',
    ]);
  });
});
