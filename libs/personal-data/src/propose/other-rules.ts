import { isIpv6 } from '../values/network.js';
import { isUrl } from '../values/prose.js';
import { shareOf } from './name-rules.js';
import {
  type ProposalFacts,
  composed,
  digits,
  integer,
  UUID,
  type RuleDefinition,
} from './rule-definitions.js';

/** Returns rules that generate addresses of reserved networks: 10.0.0.0/8 (RFC 1918) and 2001:db8::/32 (RFC 3849). */
export function ipRules({ values, maxLength }: ProposalFacts): readonly RuleDefinition[] {
  const four = composed(
    { a: integer(0, 255), b: integer(0, 255), c: integer(1, 254) },
    '10.{{a}}.{{b}}.{{c}}',
  );
  const six = composed({ u: UUID }, '2001:db8::{{substring(u, 0, 4)}}:{{substring(u, 4, 8)}}');
  if (shareOf(values, isIpv6) > 0.5 && maxLength >= 19) return [six];
  return maxLength >= 14 ? [four] : [];
}

/** Returns rules that generate locally administered MAC addresses. */
export function macRules({ maxLength }: ProposalFacts): readonly RuleDefinition[] {
  const pairs = [0, 2, 4, 6, 9].map((from) => `{{substring(u, ${from}, ${from + 2})}}`).join(':');
  return maxLength >= 17
    ? [composed({ u: UUID }, `02:${pairs}`)]
    : [composed({ u: UUID }, '02{{substring(u, 0, 8)}}00')];
}

export function secretRules({ group, type, values, maxLength }: ProposalFacts): readonly RuleDefinition[] {
  if (type === 'uuid') return [UUID];
  if (group === 'binary') return [composed({ u: UUID }, "\\x{{replace(u, '-', '')}}")];
  if (values.length > 0 && shareOf(values, (value) => /^\d{3,8}$/.test(value)) > 0.9) {
    const count = Math.min(8, maxLength, Math.max(...values.map((value) => value.length)));
    return [composed({ n: digits(count) }, '{{n}}')];
  }
  const longest = Math.max(0, ...values.map((value) => value.length));
  const length = Math.min(maxLength, longest === 0 ? 32 : Math.max(16, Math.min(64, longest)));
  return [{ type: 'svc', algorithm: 'nanoid', params: { length } }];
}

/**
 * Returns rules that generate English sentences from a model. They contain nothing about real people. For a column of
 * JSON or XML, the rule generates an empty document instead, because casts and constraints may expect one.
 */
export function freeTextRules({ values, maxLength, isUnique }: ProposalFacts): readonly RuleDefinition[] {
  if (values.length > 0 && shareOf(values, (value) => /^\s*(?:\{\s*["}]|\[)/.test(value)) > 0.5)
    return isUnique ? [composed({ u: UUID }, '["{{u}}"]')] : [{ type: 'list', values: ['{}'] }];
  if (values.length > 0 && shareOf(values, (value) => /^\s*<[\w?!]/.test(value)) > 0.5)
    return isUnique ? [composed({ u: UUID }, '<x>{{u}}</x>')] : [{ type: 'list', values: ['<x/>'] }];
  const lengths = values.map((value) => value.length).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length * 0.75)] ?? 120;
  // A sentence needs at least 40 characters. A shorter column gets the beginning of a sentence.
  const most = Math.max(40, Math.min(maxLength, 500, usual));
  return [{ generator: 'en_US/sentences', generation: { mode: 'text', params: { max_chars: most } } }];
}

/** A PNG picture of one grey pixel. */
const PIXEL =
  '\\x89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55' +
  '0000000a49444154789c636800000082008177cd72b60000000049454e44ae426082';

export function photoRules({ group, values, maxLength }: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'binary') return [{ type: 'list', values: [PIXEL] }];
  const isLink = values.length === 0 || shareOf(values, isUrl) > 0.3;
  if (isLink && maxLength >= 60)
    return [{ generator: 'template', pattern: 'https://example.com/{{uuid}}.png' }];
  return maxLength >= 12 ? [composed({ n: digits(8) }, '{{n}}.png')] : [];
}
