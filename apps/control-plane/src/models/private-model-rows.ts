import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** What is known here of a model that an agent trained: no more than this. */
export interface PrivateModelResponse {
  /** `private/<name>`. */
  readonly id: string;
  readonly name: string;
  readonly type: 'private';
  /** Agents train nothing else. */
  readonly kind: 'ngram';
  /** HMAC under a key that never leaves the agent; 64 hex digits. */
  readonly hash: string;
  readonly agent_id: string;
  readonly trained_at: string;
}

interface Row {
  readonly name: string;
  readonly hash: string;
  readonly agent_id: string;
  readonly trained_at: Date;
}

/** Rows of the models that agents trained. Every query names the organisation. */
@Injectable()
export class PrivateModelRows {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The last trained first. @returns also how many there are in all */
  async page(organizationId: string, skip: number, take: number): Promise<[PrivateModelResponse[], number]> {
    const [rows, [counted]] = await Promise.all([
      this.dataSource.query<Row[]>(SELECT_PAGE, [organizationId, skip, take]),
      this.dataSource.query<{ total: number }[]>(COUNT, [organizationId]),
    ]);
    return [rows.map(toResponse), counted?.total ?? 0];
  }

  /** @param id `private/<name>` */
  async find(organizationId: string, id: string): Promise<PrivateModelResponse | undefined> {
    const [row] = await this.dataSource.query<Row[]>(SELECT_ONE, [organizationId, id]);
    return row && toResponse(row);
  }
}

const COLUMNS = 'name, hash, agent_id, trained_at';
const SELECT_PAGE = `SELECT ${COLUMNS} FROM private_models WHERE organization_id = $1
  ORDER BY trained_at DESC, name OFFSET $2 LIMIT $3`;
const COUNT = 'SELECT count(*)::integer AS total FROM private_models WHERE organization_id = $1';
const SELECT_ONE = `SELECT ${COLUMNS} FROM private_models WHERE organization_id = $1 AND name = $2`;

function toResponse({ name, hash, agent_id, trained_at }: Row): PrivateModelResponse {
  return {
    id: name,
    name: name.replace(/^private\//, ''),
    type: 'private',
    kind: 'ngram',
    hash,
    agent_id,
    trained_at: trained_at.toISOString(),
  };
}
