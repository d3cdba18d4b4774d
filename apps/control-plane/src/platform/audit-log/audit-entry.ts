import type { Caller } from '../http/pipeline/caller.js';
import type { CallerRequest } from '../http/pipeline/caller-request.js';

/** The actor and the time of a change to an organisation. */
export interface AuditedChange {
  readonly organizationId: string;
  readonly now: Date;
  readonly actor: AuditActor;
  /** Null for changes by the command line and by the server itself. */
  readonly requestId: string | null;
}

/**
 * An entry of the audit log. It holds names, roles and ids, but never a secret, a connection string, a definition or a
 * person's address.
 */
export interface AuditEntry extends AuditedChange {
  /** The action. Its part before the dot is the type of the target. */
  readonly action: AuditAction;
  readonly targetId: string;
  /**
   * Address of the member that the entry is about. It is stored separately from the entry, so that it can be
   * erased.
   */
  readonly email?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

export type AuditActor =
  | { readonly type: 'token'; readonly id: string; readonly memberId: string | null }
  | { readonly type: 'member' | 'agent'; readonly id: string }
  | { readonly type: 'command_line' | 'server' };

export const AUDIT_ACTIONS = [
  'organization.created',
  'organization.plan_changed',
  'token.created',
  'token.rotated',
  'token.revoked',
  'token.sign_in_refused',
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.forgotten',
  'member.account_linked',
  'member.sign_in_refused',
  'enrolment_token.created',
  'enrolment_token.revoked',
  'agent.enrolled',
  'agent.revoked',
  'sync_job.created',
  'model.uploaded',
  'model.deleted',
  'generator.registered',
  'generator.deleted',
  'mock_endpoint.created',
  'mock_endpoint.deleted',
  'sync_job.cancelled',
  'sync_job.deleted',
  'sync_job.released',
  'sync_job.reverted',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.disabled',
  'webhook.recovered',
  'webhook.deleted',
  'snapshot.created',
  'snapshot.restored',
  'snapshot.deleted',
  'session.opened',
  'session.ended',
  'session.all_ended',
  'sign_in_link.created',
  'sign_in_link.refused',
] as const satisfies readonly `${AuditTarget}.${string}`[];
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = [
  'organization',
  'token',
  'member',
  'enrolment_token',
  'agent',
  'sync_job',
  'model',
  'generator',
  'mock_endpoint',
  'webhook',
  'snapshot',
  'session',
  'sign_in_link',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** Returns the actor and time of a change that an API request makes. */
export function requestedChange({ id: requestId, caller }: CallerRequest, now: Date): AuditedChange {
  return { organizationId: caller.organizationId, now, actor: actorOf(caller), requestId };
}

/** Returns the member for a session of a member, and the token for any other caller. */
export function actorOf({
  tokenId,
  memberId,
  sessionId,
}: Pick<Caller, 'tokenId' | 'memberId' | 'sessionId'>): AuditActor {
  if (memberId !== null && sessionId !== null) return { type: 'member', id: memberId };
  if (tokenId === null) throw new Error('expected a caller with a token, or a session of a member');
  return { type: 'token', id: tokenId, memberId };
}

export const COMMAND_LINE: AuditActor = { type: 'command_line' };
/** The actor of changes that the server makes without a request. */
export const SERVER: AuditActor = { type: 'server' };
