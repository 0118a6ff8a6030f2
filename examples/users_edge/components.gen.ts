// Written by 'irori scan'. Do not edit: run it again when components or the configuration change.
// deno-fmt-ignore-file
import { UserController } from "./src/controllers/user_controller.ts";
import { UserRepository } from "./src/repositories/user_repository.ts";

/** The exported components of the folders of 'component-scan'. */
export const components = [
  UserController,
  UserRepository,
];

/** The configuration files, with unresolved placeholders. */
export const config = {
  "server": {
    "address": "127.0.0.1",
    "port": 8080
  }
};
