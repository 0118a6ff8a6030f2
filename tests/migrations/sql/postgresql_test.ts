import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { POSTGRESQL } from "./dialects.ts";

testSqlDialect(POSTGRESQL);
