import { type Client, type ConnectionTarget, disconnect } from '@understudy/postgres';
import { readProperties, withServerSession } from '@understudy/database-swap';
import type { DatabaseSide, SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import { openJobClient } from '../../session/open-session.js';
import type { LocatedSession } from '../../session/located-client.js';
import {
  type ExcludedObject,
  exclusionProblems,
  reportExcluded,
} from '../../plan/exclude/excluded-objects.js';
import { reportSecurityDefiner } from '../build/security-definer.js';
import { checkRoles, requireLogin } from './build-login.js';
import { checkExtensions } from './check-extensions.js';
import { buildLoginOf, refuseBlocked, refuseOlderServer, refuseTargetOnly } from './check-replacement.js';
import { findPrepared } from './prepared-objects.js';
import { refuseMissingTablespaces } from './missing-tablespaces.js';
import { findMissingRoles } from './missing-roles.js';
import { neverCopied, refuseUndecided } from './never-copied.js';
import { findPersonalDefinitions } from './personal-definitions.js';
import { findUngranted } from './ungranted-objects.js';
import { refuseSuperuserObjects } from './superuser-objects.js';

/** Sessions on both servers. That of the target is in another database if the job creates the target. */
export interface ReplacementToPredict extends Readonly<Record<DatabaseSide, LocatedSession>> {
  /** The target, which need not exist. */
  readonly agent: ConnectionTarget;
  /** The objects of the source that the job leaves out. */
  readonly excluded: readonly ExcludedObject[];
}

/**
 * Checks what a job needs to replace the target, and changes nothing.
 * @throws SyncJobError one failure with all problems
 */
export async function predictReplacement(
  command: SyncJobCommand,
  { source, target, agent, excluded }: ReplacementToPredict,
  environment: SyncEnvironment,
): Promise<readonly SyncWarning[]> {
  const login = buildLoginOf(command, environment);
  const clients = { source: source.client, target: target.client };
  const problems = new ProblemList();
  const template = environment.policy.templateOf?.(command.target);
  let differing: readonly SyncWarning[] | undefined;
  const existing = await withServerSession(agent, async (session) => {
    const found = await readProperties(session.client, agent.database);
    const owner = found?.properties.owner ?? agent.user;
    await problems.collect(() => refuseBlocked(session, agent, environment));
    await problems.collect(() => checkRoles(session.client, login.user, owner));
    await problems.collect(() => requireLogin(agent, login));
    await problems.collect(() =>
      refuseOlderServer({ source: clients.source, target: session.client }, environment),
    );
    const leftOut = new Set(excluded.map(({ address }) => address));
    const check = async (client: Client, prepared: ReadonlySet<string>) => {
      const opened = { source: clients.source, target: client };
      const isPrepared = template !== undefined;
      differing = await problems.collect(() => checkExtensions(opened, { leftOut, isPrepared }));
      const others = new Set([...leftOut, ...prepared]);
      await problems.collect(() => refuseSuperuserObjects(command, clients.source, others));
    };
    if (template === undefined) {
      await check(session.client, new Set());
    } else {
      const opened = await openJobClient({ ...agent, database: template }, 'target');
      const prepared = findPrepared({ source: clients.source, target: opened });
      await prepared.then((there) => check(opened, there)).finally(() => disconnect(opened));
    }
    return found;
  });
  for (const problem of await exclusionProblems(clients.source, command, excluded)) problems.add(problem);
  const dropped =
    existing && (await problems.collect(() => refuseTargetOnly(command, clients, excluded, environment)));
  await problems.collect(() => refuseUndecided(command, clients.source, { excluded, ...environment }));
  await problems.collect(() => refuseMissingTablespaces(command, clients, login.user));
  problems.throwIfAny();
  const owner = existing?.properties.owner ?? agent.user;
  const privileges = { source: clients.source, target: existing && clients.target, owner };
  return [
    ...(dropped ?? []),
    ...reportExcluded(excluded, environment),
    ...(await findMissingRoles(command, clients, environment)),
    ...(await findUngranted(command, privileges, environment)),
    ...(await reportSecurityDefiner(command, clients.source, environment)),
    ...(differing ?? []),
    ...(await neverCopied(command, clients)),
    ...(await findPersonalDefinitions(clients.source, environment)),
  ];
}
