import type { AuditEntry } from '@understudy/client';
import { Button, Code, CopyField, Dialog, KeyValues, Time } from '@understudy/ui';

import type { AuditFilters } from './audit-filters.js';
import { TEXTS } from './texts.js';

const { details: texts } = TEXTS;

/** Everything that the log recorded about one change. */
export function EntryDialog({
  entry,
  actorName,
  onFilter,
  onClose,
}: {
  readonly entry: AuditEntry;
  readonly actorName: string;
  readonly onFilter: (filters: AuditFilters) => void;
  readonly onClose: () => void;
}) {
  const { actor, target, details, request_id: request } = entry;
  const facts = Object.entries(details);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="large"
      title={TEXTS.actions[entry.action] ?? entry.action}
      actions={
        <>
          {request !== null && <Button onClick={() => onFilter({ request })}>{texts.sameRequest}</Button>}
          {actor.id !== null && (
            <Button onClick={() => onFilter({ actor: actor.id ?? '' })}>{texts.sameActor}</Button>
          )}
          <Button onClick={() => onFilter({ target: target.id })}>{texts.sameTarget}</Button>
        </>
      }
    >
      <KeyValues
        items={[
          { label: texts.time, value: <Time iso={entry.occurred_at} /> },
          { label: texts.action, value: <Id text={entry.action} /> },
          {
            label: texts.actor,
            value: (
              <span className="flex flex-wrap gap-x-2">
                <span dir="auto">{actorName}</span>
                {actor.id !== null && <Id text={actor.id} />}
              </span>
            ),
          },
          ...(actor.member_id === null ? [] : [{ label: texts.owner, value: <Id text={actor.member_id} /> }]),
          { label: texts.target, value: <Id text={target.id} /> },
          { label: texts.id, value: <Id text={entry.id} /> },
        ]}
      />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">{texts.title}</h3>
        {facts.length === 0 ? (
          <p className="text-muted">{texts.none}</p>
        ) : (
          <div className="max-h-80 overflow-y-auto" tabIndex={0} role="region" aria-label={texts.title}>
            <KeyValues
              items={facts.map(([name, value]) => ({
                label: name.replaceAll('_', ' '),
                value: <span dir="auto">{textOf(value)}</span>,
              }))}
            />
          </div>
        )}
      </section>
      {request === null ? (
        <p className="text-sm text-muted">
          {texts.request}: {texts.noRequest}
        </p>
      ) : (
        <CopyField label={texts.request} value={request} />
      )}
    </Dialog>
  );
}

function Id({ text }: { readonly text: string }) {
  return <Code>{text}</Code>;
}

/** Writes a value of the details, which are texts, figures, truth values and lists of texts. */
function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return TEXTS.none;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
