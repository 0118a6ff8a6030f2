import { logging } from "@irori/irori/logging";
import { usersApp } from "./users_app.ts";

// Elsewhere these tests read what the application says where it listens.
export default await usersApp(logging());
