import { readKeptJson } from '@understudy/expression';
import { Button, Card, Select, lazyPart } from '@understudy/ui';

import { EXAMPLES, schemaText } from '../state/examples.js';
import { TEXTS } from '../texts.js';
import type { SchemaEditorProps } from './schema-editor.js';

const SchemaEditor = lazyPart(async () => (await import('./schema-editor.js')).SchemaEditor, {
  lines: 8,
  label: TEXTS.loadingEditor,
});

export interface SchemaCardProps extends Pick<
  SchemaEditorProps,
  'onChange' | 'problems' | 'catalog' | 'onReady'
> {
  readonly schema: string;
}

/** The editor of the schema, with examples to start from. */
export function SchemaCard({ schema, onChange, ...editor }: SchemaCardProps) {
  return (
    <Card
      title={TEXTS.schema}
      flush
      actions={
        <>
          <div className="w-52">
            <Select
              label={TEXTS.example}
              labelHidden
              placeholder={TEXTS.chooseExample}
              value={null}
              options={EXAMPLES.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(id) => onChange(exampleText(id))}
            />
          </div>
          <Button onClick={() => onChange(tidy(schema))}>{TEXTS.format}</Button>
        </>
      }
    >
      <div className="h-[26rem] border-t border-line xl:h-[38rem]">
        <SchemaEditor
          text={schema}
          onChange={onChange}
          label={TEXTS.editorLabel}
          description={TEXTS.editorHint}
          {...editor}
        />
      </div>
      <p className="border-t border-line px-4 py-2 text-sm text-muted">{TEXTS.editorHint}</p>
    </Card>
  );
}

function exampleText(id: string): string {
  const example = EXAMPLES.find((each) => each.id === id) ?? EXAMPLES[0];
  return schemaText(example.schema);
}

/** Writes the schema in our layout. Text that is not JSON stays as it is. */
function tidy(text: string): string {
  const schema = readKeptJson(text);
  return schema === undefined ? text : schemaText(schema);
}
