import type { AgentPolicy, AgentPolicyEntries } from '@understudy/client';
import { Badge, Card, FactsCard, formatBytes } from '@understudy/ui';

import { TEXTS } from './texts.js';

const { policy: texts } = TEXTS;

/** The policy of an agent as it reports it: choices and counts, and never a pattern, name or URL. */
export function PolicyCard({ policy }: { readonly policy: AgentPolicy | null }) {
  if (policy === null)
    return (
      <Card title={texts.title}>
        <p className="text-muted">{texts.none}</p>
      </Card>
    );
  const { min_sslmode: sslmode } = policy;
  return (
    <FactsCard
      texts={texts}
      text={texts.text}
      columns={2}
      facts={{
        databases: <Entries entries={policy.databases} />,
        urls: <Entries entries={policy.urls} />,
        sslmode: sslmode === null ? texts.unknown : (texts.sslmodes[sslmode] ?? sslmode),
        plaintext: <Allowed value={policy.allow_plaintext} />,
        neverPreserve: policy.never_preserve_count,
        protectText: yesNo(policy.protect_text),
        mayPreserve: policy.may_preserve_count,
        rejectUnlisted: yesNo(policy.reject_unlisted),
        where: <Allowed value={policy.allow_where} />,
        training: <Allowed value={policy.allow_training} />,
        minValues: policy.min_values_floor,
        snapshotAge: texts.hours(policy.snapshot_min_age_hours),
        keepReplaced: texts.hours(policy.keep_replaced_hours),
        reportNames: yesNo(policy.report_names),
        allowSharedSchemas: policy.allow_shared_schemas ? texts.allowed : texts.refused,
        sourceCode: <Allowed value={policy.allow_source_code ?? true} />,
        superuserTarget: <Allowed value={policy.allow_superuser_target ?? true} />,
        securityDefiner: <Allowed value={policy.allow_security_definer} />,
        largeObjects: <Allowed value={policy.allow_large_objects} />,
        foreignServers: <Allowed value={policy.allow_foreign_servers} />,
        endSessions: <Allowed value={policy.allow_end_sessions} />,
        databaseBytes:
          policy.max_database_bytes === null ? texts.noLimit : formatBytes(policy.max_database_bytes),
      }}
    />
  );
}

function Entries({ entries }: { readonly entries: AgentPolicyEntries }) {
  if (entries.total === 0) return texts.noEntries;
  const roles = (['source', 'target', 'snapshot', 'restore', 'replace'] as const).filter(
    (role) => entries[role] > 0,
  );
  return (
    <span className="flex flex-wrap gap-1">
      {roles.map((role) => (
        <Badge key={role}>{`${texts.entries[role]} ${entries[role]}`}</Badge>
      ))}
    </span>
  );
}

function Allowed({ value }: { readonly value: boolean }) {
  return <Badge tone={value ? 'neutral' : 'success'}>{value ? texts.allowed : texts.refused}</Badge>;
}

const yesNo = (value: boolean): string => (value ? texts.yes : texts.no);
