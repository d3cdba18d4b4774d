import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput, syntaxTree } from '@codemirror/language';
import { lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';

import type { Problem } from '@understudy/generator';

import type { Catalog } from '../../engine/worker/messages.js';
import { completeSchema } from './complete-schema.js';
import { EDITOR_THEME } from './editor-theme.js';
import { rangeOf } from './json-locations.js';

/** A problem or a warning of the engine, as the editor marks it. */
export interface SchemaProblem extends Problem {
  readonly severity: 'error' | 'warning';
}

export interface EditorOptions {
  readonly text: string;
  /** The name of the editor, for screen readers. */
  readonly label: string;
  /** How to leave the editor with the keyboard, for screen readers. */
  readonly description: string;
  readonly onChange: (text: string) => void;
}

/** An editor for JSON. */
export interface SchemaEditorHandle {
  /** Replaces the text, unless the editor has it already. The user can undo this. */
  setText(text: string): void;
  /** Marks the problems in the text. */
  setProblems(problems: readonly SchemaProblem[]): void;
  setCatalog(catalog: Catalog | undefined): void;
  /** Returns the number of the line that a problem is about. The first line has the number 1. */
  lineOf(problem: SchemaProblem): number;
  /** Moves the cursor and the focus to what a problem is about. */
  goTo(problem: SchemaProblem): void;
  destroy(): void;
}

/**
 * Creates an editor in a shadow root of `host`. There, its styles need no style element, which the content security
 * policy forbids.
 */
export function createEditor(host: HTMLElement, options: EditorOptions): SchemaEditorHandle {
  let catalog: Catalog | undefined;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const state = EditorState.create({
    doc: options.text,
    extensions: [
      extensions(() => catalog),
      EditorView.contentAttributes.of({
        ...{ 'aria-label': options.label, 'aria-description': options.description, tabindex: '0' },
      }),
      EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
        if (docChanged) options.onChange(doc.toString());
      }),
    ],
  });
  const view = new EditorView({ state, root, parent: root });
  const range = (problem: SchemaProblem) =>
    rangeOf(problem, syntaxTree(view.state), view.state.doc.toString());
  return {
    setText(text) {
      const { doc } = view.state;
      if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    setProblems(problems) {
      const { length } = view.state.doc;
      const diagnostics = problems.map((problem) => {
        const { from, to } = range(problem);
        const { severity, message } = problem;
        return { from: Math.min(from, length), to: Math.min(to, length), severity, message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    setCatalog: (next) => void (catalog = next),
    lineOf: (problem) => view.state.doc.lineAt(Math.min(range(problem).from, view.state.doc.length)).number,
    goTo(problem) {
      const { from, to } = range(problem);
      const { length } = view.state.doc;
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** Tab indents. Escape and then Tab leaves the editor, which CodeMirror provides. */
function extensions(catalog: () => Catalog | undefined) {
  return [
    [lineNumbers(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter(), history()],
    EditorView.lineWrapping,
    [json(), bracketMatching(), closeBrackets(), indentOnInput(), EditorState.tabSize.of(2)],
    // The list opens only inside quotation marks, where Enter has no other use, so it accepts Enter without a delay.
    autocompletion({ override: [completeSchema(catalog)], icons: false, interactionDelay: 0 }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      { key: 'F8', run: nextDiagnostic },
      ...defaultKeymap,
      indentWithTab,
    ]),
    EDITOR_THEME,
    EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
  ];
}

/**
 * Replaces a selection by the typed text. The browser itself would keep the style of the removed text in a style
 * attribute, which the content security policy forbids.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const { from, to, empty } = view.state.selection.main;
  if (empty || view.composing || inputType !== 'insertText' || data === null) return false;
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}
