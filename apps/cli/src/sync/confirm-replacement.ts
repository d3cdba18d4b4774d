import { createInterface } from 'node:readline/promises';

import {
  type ConnectionTarget,
  DatabaseError,
  disconnect,
  openSession,
  parseTableName,
} from '@understudy/postgres';

import { connectionError } from '../database/open-database.js';
import { EXIT } from '../exit-code.js';
import { Interrupted, interruptible } from '../terminal/interruption.js';
import { printNote } from '../terminal/messages.js';
import { count, formatBytes } from '../terminal/numbers.js';
import { FILLED_TABLES } from './filled-tables.sql.js';

/**
 * Asks the user before a job replaces tables that have rows. Needs a terminal.
 * @param tables the tables that the job lists
 * @throws Interrupted if the user does not agree, CliError if the target cannot be reached
 */
export async function confirmReplacement(target: ConnectionTarget, tables: readonly string[]): Promise<void> {
  const filled = await filledTables(target, tables);
  if (filled.tables === 0) return;
  const has = filled.tables === 1 ? 'has' : 'have';
  await confirm(
    `${count(filled.tables, 'table')} of ${target.display} ${has} rows (${formatBytes(filled.bytes)}), which the job replaces. Continue? [y/N] `,
  );
}

/**
 * Asks the user before a job replaces a whole database. Needs a terminal.
 * @throws Interrupted if the user does not agree
 */
export async function confirmWhole({ display }: ConnectionTarget): Promise<void> {
  await confirm(`The job replaces the whole database ${display}. Continue? [y/N] `);
}

/** @throws Interrupted if the user does not agree */
async function confirm(question: string): Promise<void> {
  const answer = await ask(question);
  if (/^y(es)?$/i.test(answer.trim())) return;
  printNote('stopped: the target is unchanged');
  throw new Interrupted(EXIT.interrupted);
}

async function filledTables(
  target: ConnectionTarget,
  tables: readonly string[],
): Promise<{ readonly tables: number; readonly bytes: number }> {
  const names = tables.flatMap((name) => parseTableName(name) ?? []);
  try {
    const { client } = await openSession(target, 'target', 'understudy');
    const columns = [names.map(({ schema }) => schema), names.map(({ table }) => table)];
    const { rows } = await client
      .query<{ tables: number; bytes: number }>(FILLED_TABLES, columns)
      .finally(() => disconnect(client));
    return rows[0] ?? { tables: 0, bytes: 0 };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw connectionError(error, target.display);
  }
}

/** Returns the line that the user types; empty if the user ends the input. @throws Interrupted after Ctrl-C */
function ask(question: string): Promise<string> {
  return interruptible(async (signal) => {
    // Without `terminal`, Ctrl-C reaches the process as a signal.
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return Promise.race([lines.question(question, { signal }), ended]).finally(() => lines.close());
  });
}
