import { useEffect, useEffectEvent, useRef } from 'react';

import type { Catalog } from '../../engine/worker/messages.js';
import { createEditor, type SchemaEditorHandle, type SchemaProblem } from './create-editor.js';

export interface SchemaEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problems: readonly SchemaProblem[];
  readonly catalog: Catalog | undefined;
  readonly label: string;
  readonly description: string;
  /** Called with the editor when it is there, and with null when it is removed. */
  readonly onReady: (editor: SchemaEditorHandle | null) => void;
}

/** The editor of the playground. Import it lazily, because CodeMirror is larger than the rest of the page. */
export function SchemaEditor(props: SchemaEditorProps) {
  const { text, problems, catalog } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SchemaEditorHandle>(null);
  const onChange = useEffectEvent((next: string) => props.onChange(next));
  const onReady = useEffectEvent((next: SchemaEditorHandle | null) => props.onReady(next));
  const create = useEffectEvent((element: HTMLDivElement) =>
    createEditor(element, { text, label: props.label, description: props.description, onChange }),
  );
  useEffect(() => {
    if (host.current === null) return undefined;
    const created = create(host.current);
    editor.current = created;
    onReady(created);
    return () => {
      created.destroy();
      editor.current = null;
      onReady(null);
    };
  }, []);
  useEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setProblems(problems), [problems]);
  useEffect(() => editor.current?.setCatalog(catalog), [catalog]);
  return (
    <div className="h-full min-h-0 p-0.5 focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent">
      <div ref={host} className="isolate h-full overflow-hidden" />
    </div>
  );
}
