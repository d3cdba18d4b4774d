import type { AgentPolicy, AgentPolicyEntries } from '@understudy/client';
import { Badge, Card, KeyValues } from '@understudy/ui';

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
    <Card title={texts.title} text={texts.text}>
      <KeyValues
        columns={2}
        items={[
          { label: texts.databases, value: <Entries entries={policy.databases} /> },
          { label: texts.urls, value: <Entries entries={policy.urls} /> },
          {
            label: texts.sslmode,
            value: sslmode === null ? texts.unknown : (texts.sslmodes[sslmode] ?? sslmode),
          },
          { label: texts.plaintext, value: <Allowed value={policy.allow_plaintext} /> },
          { label: texts.neverPreserve, value: policy.never_preserve_count },
          { label: texts.protectText, value: yesNo(policy.protect_text) },
          { label: texts.mayPreserve, value: policy.may_preserve_count },
          { label: texts.rejectUnlisted, value: yesNo(policy.reject_unlisted) },
          { label: texts.where, value: <Allowed value={policy.allow_where} /> },
          { label: texts.training, value: <Allowed value={policy.allow_training} /> },
          { label: texts.minValues, value: policy.min_values_floor },
          { label: texts.snapshotAge, value: texts.hours(policy.snapshot_min_age_hours) },
          { label: texts.keepReplaced, value: texts.hours(policy.keep_replaced_hours) },
          { label: texts.reportNames, value: yesNo(policy.report_names) },
          {
            label: texts.allowSharedSchemas,
            value: policy.allow_shared_schemas ? texts.allowed : texts.refused,
          },
          { label: texts.sourceCode, value: <Allowed value={policy.allow_source_code ?? true} /> },
          { label: texts.superuserTarget, value: <Allowed value={policy.allow_superuser_target ?? true} /> },
        ]}
      />
    </Card>
  );
}

function Entries({ entries }: { readonly entries: AgentPolicyEntries }) {
  if (entries.total === 0) return texts.noEntries;
  const roles = (['source', 'target', 'snapshot', 'restore'] as const).filter((role) => entries[role] > 0);
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
