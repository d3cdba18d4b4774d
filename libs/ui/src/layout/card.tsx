import { type ReactNode, useId } from 'react';

export interface CardProps {
  readonly title?: string | undefined;
  /** A sentence below the title. */
  readonly text?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
  /** True if the content reaches the edges, as a table does. */
  readonly flush?: boolean | undefined;
}

/** A box for one subject. */
export function Card({ title, text, actions, children, flush = false }: CardProps) {
  const id = useId();
  return (
    <section
      {...(title === undefined ? {} : { 'aria-labelledby': id })}
      className="ui-card min-w-0 overflow-clip rounded-lg border border-line bg-surface shadow-raised"
    >
      {title !== undefined && (
        <div
          className={`flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-3.5 ${flush ? 'pb-3' : ''}`}
        >
          <Heading id={id} title={title} text={text} />
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
      <div className={flush ? '' : 'px-4 pt-3 pb-4'}>{children}</div>
    </section>
  );
}

/** A part of a page with a heading, without a box. */
export function Section({
  title,
  text,
  actions,
  children,
}: Omit<CardProps, 'flush'> & { readonly title: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <Heading id={id} title={title} text={text} large />
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

function Heading({
  id,
  title,
  text,
  large = false,
}: {
  readonly id: string;
  readonly title: string;
  readonly text: ReactNode;
  readonly large?: boolean;
}) {
  return (
    <div className="min-w-0">
      <h2 id={id} className={`${large ? 'text-lg' : 'text-base'} font-semibold text-ink`}>
        {title}
      </h2>
      {text !== undefined && <div className="max-w-prose text-sm text-muted *:whitespace-normal">{text}</div>}
    </div>
  );
}

export interface KeyValuesProps {
  /** Names and values in order. A value of null or undefined shows a dash. */
  readonly items: readonly { readonly label: string; readonly value: ReactNode }[];
  /** In how many columns the pairs flow on a wide page. */
  readonly columns?: 1 | 2 | undefined;
}

/** Facts as a list of names and values. */
export function KeyValues({ items, columns = 1 }: KeyValuesProps) {
  return (
    <dl className={`grid gap-x-8 gap-y-2.5 ${COLUMNS[columns]}`}>
      {items.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col sm:flex-row sm:gap-4">
          <dt className="w-40 shrink-0 text-muted">{label}</dt>
          <dd className="min-w-0 text-ink wrap-anywhere">{value ?? <span className="text-faint">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface FactsCardProps<Texts extends { readonly title: string }> extends Pick<CardProps, 'text'> {
  /** The title of the card, and the name of each fact by its id. */
  readonly texts: Texts;
  /** The facts in order, by the ids of their names. Null shows a dash. Undefined leaves the fact out. */
  readonly facts: { readonly [Id in keyof Texts]?: ReactNode };
  readonly columns?: KeyValuesProps['columns'];
}

/** A box with the facts about a thing. */
export function FactsCard<Texts extends { readonly title: string }>(props: FactsCardProps<Texts>) {
  const { texts, text, facts, columns } = props;
  const known = (Object.entries(facts) as [keyof Texts, ReactNode][]).filter(
    ([, value]) => value !== undefined,
  );
  return (
    <Card title={texts.title} text={text}>
      <KeyValues
        columns={columns}
        items={known.map(([id, value]) => ({ label: String(texts[id]), value }))}
      />
    </Card>
  );
}

/** One figure with its name, for an overview. */
export function Stat({
  label,
  value,
  text,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly text?: ReactNode | undefined;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <span className="text-sm text-muted">{label}</span>
      <span className="text-xl font-semibold tracking-tight text-ink tabular-nums">{value}</span>
      {text !== undefined && <span className="text-sm text-muted">{text}</span>}
    </div>
  );
}

const COLUMNS = { 1: '', 2: 'md:grid-cols-2' } as const;
