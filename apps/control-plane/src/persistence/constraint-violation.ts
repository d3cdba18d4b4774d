const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** For `.catch`: throws what `refusal` makes when a unique constraint was broken, and anything else as it is. */
export const onUniqueViolation = (refusal: () => Error) => onViolation(UNIQUE_VIOLATION, refusal);

/** The same for a foreign key: what is deleted is still referred to. */
export const onForeignKeyViolation = (refusal: () => Error) => onViolation(FOREIGN_KEY_VIOLATION, refusal);

function onViolation(violation: string, refusal: () => Error): (error: unknown) => never {
  return (error) => {
    const code = (error as { driverError?: { code?: string } }).driverError?.code;
    throw code === violation ? refusal() : error;
  };
}
