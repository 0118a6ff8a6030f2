import { testTransactions } from "../../contracts/transactions.ts";
import { KINDS } from "./databases.ts";

KINDS.forEach(testTransactions);
