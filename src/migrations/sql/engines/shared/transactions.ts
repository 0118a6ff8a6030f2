import type { Statement } from "../../syntax/grammar.ts";

const HINT = "start the file with '-- irori: no-transaction'";

/** Says why a statement that starts or ends a transaction cannot stand in a file that is one. */
export function refuseTransactionControl({ words }: Statement): string | undefined {
  const [first = "", second] = words;
  const ends = ["BEGIN", "COMMIT", "END", "ABORT"].includes(first) ||
    (first === "START" && second === "TRANSACTION") ||
    (first === "PREPARE" && second === "TRANSACTION") ||
    (first === "ROLLBACK" && !words.slice(1, 3).includes("TO"));
  if (!ends) return undefined;
  return `${first} cannot be part of the file, which runs in one transaction with its record: ` +
    `remove it, or ${HINT}`;
}

export function outsideOnly(what: string): string {
  return `${what} cannot run inside a transaction: ${HINT}`;
}

export const ENDED_TRANSACTION =
  "the file has ended the transaction that it runs in, and what it did before may have stayed: remove " +
  `what commits or rolls back, or ${HINT}`;
