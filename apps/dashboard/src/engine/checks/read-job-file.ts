import { type LocatedProblem, parseJsonWithComments } from '@understudy/sync-job/job-file';
import {
  AGENT_SELECTION,
  type AgentSelection,
  expectedButGot,
  type FieldProblem,
  fieldPath,
  isObject,
  ObjectReader,
  POLICY_FIELDS,
  readDeclared,
  readSyncRequest,
  SYNC_REQUEST_FIELDS,
  unknownFields,
} from '@understudy/sync-job';

import type { ColumnForm, JobForm } from '../../new-sync-job/form/job-form.js';
import { fromRequest } from '../../new-sync-job/form/read-request.js';

/** The command line accepts job files of this size. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export type ReadJobFile =
  | {
      readonly kind: 'form';
      readonly form: JobForm;
      /** True if the file has a connection URL or the name of a variable, which is not taken over. */
      readonly hasUrl: boolean;
      /** True if the file names models or compositions in local files. */
      readonly hasLocalFiles: boolean;
      /** The fields of the file that stand for keys of a policy. They are not taken over. */
      readonly policyFields: readonly string[];
    }
  /** The file cannot be used. At least one problem, in the order of the text. */
  | { readonly kind: 'refused'; readonly problems: readonly FileProblem[] };

/** A problem in a file. Lines and columns count from 1. */
export interface FileProblem extends FieldProblem {
  readonly line: number;
  readonly column: number;
}

/** The comment with which `understudy init` marks a column that needs a decision. */
const TO_DECIDE = /^TO DECIDE:\s*/;

/**
 * Reads the text of a job file. It refuses text that is no job file, and leaves wrong rules to the check of the form. A
 * connection URL never becomes a part of the result.
 */
export function readJobFile(text: string): ReadJobFile {
  const { value, problems, offsetOf, commentAbove } = parseJsonWithComments(text);
  if (problems.some(({ field }) => field === '')) return refused(problems, text);
  if (!isObject(value)) {
    const message = expectedButGot('an object {source, target, tables}', value);
    return refused([{ field: '', message, offset: offsetOf('') }], text);
  }
  const found: FieldProblem[] = [];
  new ObjectReader(value, '', found).only([
    ...['source', 'target', 'agent', 'models', 'compositions'],
    ...SYNC_REQUEST_FIELDS,
    ...POLICY_FIELDS,
  ]);
  const agent = readAgent(value['agent'], found);
  const request = readSyncRequest(value, found);
  if (found.length + problems.length > 0) {
    const located = found.map((problem) => ({ ...problem, offset: offsetOf(problem.field) }));
    return refused([...problems, ...located], text);
  }
  const source = databaseOf(value['source']);
  const target = databaseOf(value['target']);
  return {
    kind: 'form',
    form: {
      ...fromRequest(request, (name, rule, path) =>
        toColumn(name, rule, commentAbove(fieldPath(path, name))),
      ),
      source: source ?? '',
      target: target ?? '',
      ...(agent && { agent }),
    },
    hasUrl: [source, target].includes(undefined),
    hasLocalFiles: value['models'] !== undefined || value['compositions'] !== undefined,
    policyFields: policyFieldsIn(value),
  };
}

function readAgent(agent: unknown, problems: FieldProblem[]): AgentSelection | undefined {
  if (agent === undefined) return undefined;
  problems.push(...unknownFields(AGENT_SELECTION, agent, 'agent'));
  return readDeclared(AGENT_SELECTION, agent, 'agent', problems) as AgentSelection | undefined;
}

/** Returns the name of an agent's database, an empty text for none, or undefined for a URL. */
function databaseOf(database: unknown): string | undefined {
  if (database === undefined) return '';
  const url = isObject(database) ? database['connection_string'] : undefined;
  return typeof url === 'string' && /^agent:[\w.-]{1,200}$/.test(url) ? url : undefined;
}

function policyFieldsIn(file: Readonly<Record<string, unknown>>): readonly string[] {
  const { target } = file;
  const ofTarget = isObject(target)
    ? ['build_connection_string', 'template'].filter((key) => key in target)
    : [];
  return [...ofTarget.map((key) => `target.${key}`), ...POLICY_FIELDS.filter((field) => field in file)];
}

/** A column that `understudy init` marked is copied unchanged in the file. Here, the user must decide. */
function toColumn(name: string, rule: unknown, note: string | undefined): ColumnForm {
  if (note === undefined) return { name, rule };
  if (!TO_DECIDE.test(note)) return { name, rule, note };
  const isKept = isObject(rule) && rule['preserve'] === true;
  return { name, rule: isKept ? undefined : rule, note: note.replace(TO_DECIDE, '') };
}

/** The page shows at most this many problems of a file. */
const MAX_PROBLEMS = 100;

function refused(problems: readonly LocatedProblem[], text: string): ReadJobFile {
  const inOrder = problems.toSorted((a, b) => a.offset - b.offset).slice(0, MAX_PROBLEMS);
  return {
    kind: 'refused',
    problems: inOrder.map(({ field, message, offset }) => {
      const before = text.slice(0, offset);
      const lineStart = before.lastIndexOf('\n') + 1;
      const line = before.split('\n').length;
      return { field, message, line, column: offset - lineStart + 1 };
    }),
  };
}
