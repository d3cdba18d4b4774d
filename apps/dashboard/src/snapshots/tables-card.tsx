import type { Snapshot } from '@understudy/client';
import { Card, formatCount, ScrollList, SearchField } from '@understudy/ui';
import { useMemo, useState } from 'react';

import { TEXTS } from './texts.js';

const { tables: texts } = TEXTS;

/** Lists of this length or more can be searched. */
const LONG = 12;

/** The names of the tables of a snapshot. */
export function TablesCard({ snapshot }: { readonly snapshot: Snapshot }) {
  const [text, setText] = useState('');
  const { tables, table_count: count, status } = snapshot;
  const matches = useMemo(() => {
    const part = text.trim().toLowerCase();
    return part === '' ? tables : tables.filter((name) => name.toLowerCase().includes(part));
  }, [tables, text]);
  if (tables.length === 0)
    return (
      <Card title={texts.title}>
        <p className="text-muted">{status === 'creating' ? texts.later : texts.hidden}</p>
      </Card>
    );
  const listed = formatCount(tables.length);
  return (
    <Card
      title={texts.title}
      text={count !== null && count > tables.length ? texts.partial(listed, formatCount(count)) : undefined}
      flush
    >
      {tables.length >= LONG && (
        <div className="px-4 pb-3">
          <SearchField label={texts.filter} placeholder={texts.filterHint} value={text} onChange={setText} />
        </div>
      )}
      {matches.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{texts.noMatch}</p>
      ) : (
        <div className="border-t border-line">
          <ScrollList label={texts.caption} rows={matches} rowKey={(name) => name}>
            {(name) => (
              <span dir="auto" className="block px-4 py-2 font-mono text-sm wrap-anywhere">
                {name}
              </span>
            )}
          </ScrollList>
        </div>
      )}
    </Card>
  );
}
