import type { Kind } from '../kind.js';
import { birthDateRules, cardRules, ibanRules, nationalIdRules } from './identity-rules.js';
import { emailRules, nameRules, usernameRules } from './name-rules.js';
import { freeTextRules, ipRules, macRules, photoRules, secretRules } from './other-rules.js';
import { coordinateRules, phoneRules, postcodeRules, streetRules } from './location-rules.js';
import { type ProposalFacts, NULLS, type RuleDefinition } from './rule-definitions.js';
import { categoryRules, healthRules, incomeRules } from './sensitive-rules.js';

const BY_KIND: Readonly<Record<Kind, (facts: ProposalFacts) => readonly RuleDefinition[]>> = {
  first_name: nameRules,
  last_name: nameRules,
  full_name: nameRules,
  company: nameRules,
  city: nameRules,
  email: emailRules,
  phone: phoneRules,
  street: streetRules,
  postcode: postcodeRules,
  card: cardRules,
  iban: ibanRules,
  birth_date: birthDateRules,
  national_id: nationalIdRules,
  ip_address: ipRules,
  mac_address: macRules,
  username: usernameRules,
  secret: secretRules,
  coordinates: coordinateRules,
  free_text: freeTextRules,
  photo: photoRules,
  gender: categoryRules,
  marital_status: categoryRules,
  income: incomeRules,
  health: healthRules,
  belief: categoryRules,
  origin: categoryRules,
  orientation: categoryRules,
};

export interface ProposalRequest extends Omit<ProposalFacts, 'maxLength'> {
  readonly maxLength?: number;
  readonly isArray: boolean;
  /** Whether the column accepts NULL. */
  readonly isNullable: boolean;
}

/**
 * Returns column rules for a detected kind, best first. CHECK constraints are not known here, so the caller
 * must find the first rule whose values the column accepts. For a nullable column, the last rule generates
 * NULLs.
 */
export function proposeRules({
  isArray,
  isNullable,
  maxLength,
  ...facts
}: ProposalRequest): readonly RuleDefinition[] {
  const rules = BY_KIND[facts.detection.kind]({ ...facts, maxLength: maxLength ?? Infinity });
  const fitted = isArray ? rules.map(asOneElement) : rules;
  return isNullable ? [...fitted, NULLS] : fitted;
}

/** Wraps a rule so that it generates a PostgreSQL array literal with one element. */
function asOneElement(rule: RuleDefinition): RuleDefinition {
  const { transform } = rule;
  const value = typeof transform === 'string' ? transform : 'value';
  return { ...rule, transform: `concat('{"', ${value}, '"}')` };
}
