import { testTransactions } from "./contract.ts";
import { KINDS } from "./databases.ts";

KINDS.forEach(testTransactions);
