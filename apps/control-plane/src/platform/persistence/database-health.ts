import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Checks whether PostgreSQL responds. */
@Injectable()
export class DatabaseHealth {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Never rejects.
   * @returns false if there is no response within two seconds
   */
  async responds(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, RESPONSE_TIMEOUT_MS, false);
    });
    const response = this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return Promise.race([response, late]).finally(() => clearTimeout(timer));
  }
}

const RESPONSE_TIMEOUT_MS = 2_000;
