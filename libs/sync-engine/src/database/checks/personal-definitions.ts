import { findMention } from '@understudy/personal-data';
import type { SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';
import { DEFINITIONS } from './personal-definitions.sql.js';

/**
 * Finds definitions of the source that mention a person: an e-mail address, a phone number, or another value that the
 * detector of `understudy init` finds in texts. Definitions are copied unchanged. Their names stay on this machine.
 * @returns a warning with the number of the objects
 */
export async function findPersonalDefinitions(
  source: LocatedClient,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  const { rows } = await source.query<{ name: string; text: string }>(DEFINITIONS);
  const personal = rows.filter(({ text }) => findMention(text, true) !== undefined);
  const objects = [...new Set(personal.map(({ name }) => name))];
  if (objects.length === 0) return [];
  logNames(environment, { about: 'personal_definitions', objects });
  return [{ code: 'personal_definitions', count: objects.length }];
}
