import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { MYSQL } from "./dialects.ts";

testSqlDialect(MYSQL);
