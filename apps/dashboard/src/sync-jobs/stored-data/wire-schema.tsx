import type { StoredData, WireField } from '@understudy/client';
import { Code, columnsOf, Disclosure, Section, Table } from '@understudy/ui';

import { STORED_DATA_TEXTS as TEXTS } from './texts.js';

const { messages: texts, choices } = TEXTS;

interface Printing {
  /** True to unfold everything, because paper has no way to do it. */
  readonly isPrinting: boolean;
}

/** Every message that an agent can send about a job, with the reason why each field cannot hold a row. */
export function MessagesSection({ messages, isPrinting }: Pick<StoredData, 'messages'> & Printing) {
  return (
    <Section title={texts.title} text={texts.text}>
      <div className="flex flex-col gap-4">
        {messages.map(({ name, description, fields }) => (
          <Disclosure key={name} title={name} text={texts.fields(fields.length)} reveal={isPrinting}>
            <p className="max-w-prose text-muted">{description}</p>
            <Table
              caption={name}
              columns={FIELD_COLUMNS}
              rows={fields}
              rowKey={({ name: field }) => field}
              empty={<p className="px-4 py-3 text-muted">{texts.noFields}</p>}
            />
          </Disclosure>
        ))}
      </div>
    </Section>
  );
}

/** The values of each field that is a choice. */
export function ChoicesSection({ enums, isPrinting }: Pick<StoredData, 'enums'> & Printing) {
  return (
    <Section title={choices.title} text={choices.text}>
      <div className="flex flex-col gap-4">
        {enums.map(({ name, values }) => (
          <Disclosure key={name} title={name} text={choices.values(values.length)} reveal={isPrinting}>
            <Table caption={name} columns={VALUE_COLUMNS} rows={values} rowKey={({ name: value }) => value} />
          </Disclosure>
        ))}
      </div>
    </Section>
  );
}

const FIELD_COLUMNS = columnsOf<WireField>()(texts.columns, {
  field: { width: '19%', cell: ({ name }) => <Code>{name}</Code> },
  kind: {
    width: '15%',
    cell: ({ kind, type, repeated }) => (
      <span className="flex min-w-0 flex-col">
        <span>
          {texts.kinds[kind] ?? kind}
          {repeated && `, ${texts.list}`}
        </span>
        <code className="font-mono text-xs text-muted wrap-anywhere">{type}</code>
      </span>
    ),
  },
  meaning: { width: '26%', cell: ({ description }) => description || '–' },
  reason: {
    width: '22%',
    cell: ({ reviewed, kind }) => reviewed ?? (kind === 'message' ? texts.nested : texts.typeReason),
  },
  storedIn: {
    width: '18%',
    cell: ({ stored_in: facts, kind }) => {
      if (facts.length === 0)
        return <span className="text-muted">{kind === 'message' ? '–' : texts.notStored}</span>;
      return <code className="font-mono text-xs wrap-anywhere">{facts.join(', ')}</code>;
    },
  },
});

const VALUE_COLUMNS = columnsOf<StoredData['enums'][number]['values'][number]>()(choices.columns, {
  value: { width: '40%', cell: ({ name }) => <Code>{name}</Code> },
  meaning: { cell: ({ description }) => description || '–' },
});
