import { type Client, disconnect } from '@understudy/postgres';
import { readProperties, withServerSession } from '@understudy/database-swap';
import { type DatabaseSide, type SyncJobCommand, SyncJobError, type SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import { openJobClient } from '../../session/open-session.js';
import type { LocatedSession } from '../../session/located-client.js';
import { exclusionProblems, findExcluded, reportExcluded } from '../../plan/exclude/excluded-objects.js';
import { checkRoles } from './build-login.js';
import { buildLoginOf, refuseBlocked, refuseTargetOnly } from './check-replacement.js';
import { findPrepared } from './prepared-objects.js';
import { refuseMissingTablespaces } from './missing-tablespaces.js';
import { findMissingRoles } from './missing-roles.js';
import { neverCopied, refuseUndecided } from './never-copied.js';
import { findPersonalDefinitions } from './personal-definitions.js';
import { refuseSuperuserObjects } from './superuser-objects.js';

/**
 * Checks what a job needs to replace the target, and changes nothing. The target must exist.
 * @throws SyncJobError one failure with all problems
 */
export async function predictReplacement(
  command: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, LocatedSession>>,
  environment: SyncEnvironment,
): Promise<readonly SyncWarning[]> {
  const login = buildLoginOf(command, environment);
  const clients = { source: source.client, target: target.client };
  const problems = new ProblemList();
  const excluded = await findExcluded(clients.source, command);
  const template = environment.policy.templateOf?.(command.target);
  await withServerSession(target.target, async (session) => {
    const existing = await readProperties(session.client, target.target.database);
    if (existing === undefined) throw new SyncJobError({ code: 'database_not_found', side: 'target' });
    await problems.collect(() => refuseBlocked(session, target.target, environment));
    await problems.collect(() => checkRoles(session.client, login.user, existing.properties.owner));
    const leftOut = excluded.map(({ address }) => address);
    const check = (client: Client, prepared: ReadonlySet<string>) =>
      problems.collect(() =>
        refuseSuperuserObjects(
          command,
          { source: clients.source, target: client },
          new Set([...leftOut, ...prepared]),
        ),
      );
    if (template === undefined) return void (await check(session.client, new Set()));
    const opened = await openJobClient({ ...target.target, database: template }, 'target');
    const prepared = findPrepared({ source: clients.source, target: opened });
    await prepared.then((found) => check(opened, found)).finally(() => disconnect(opened));
  });
  for (const problem of await exclusionProblems(clients.source, command, excluded)) problems.add(problem);
  await problems.collect(() => refuseTargetOnly(command, clients, excluded, environment));
  await problems.collect(() => refuseUndecided(command, clients.source, { excluded, ...environment }));
  await problems.collect(() => refuseMissingTablespaces(command, clients, login.user));
  problems.throwIfAny();
  return [
    ...reportExcluded(excluded, environment),
    ...(await findMissingRoles(command, clients, environment)),
    ...(await neverCopied(command, clients.source)),
    ...(await findPersonalDefinitions(clients.source, environment)),
  ];
}
