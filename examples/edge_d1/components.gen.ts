// Written by 'irori scan'. Do not edit: run it again when components or the configuration change.
// deno-fmt-ignore-file
import { LinkController } from "./src/link_controller.ts";
import { LinkRepository } from "./src/link_repository.ts";

/** The exported components of the folders of 'component-scan'. */
export const components = [
  LinkController,
  LinkRepository,
];

/** The configuration files, with unresolved placeholders. */
export const config = {
  "links": {
    "limit": 20
  },
  "datasource": {
    "name": "main",
    "url": "d1:DB",
    "migrations": {
      "enabled": true,
      "lint": "error"
    }
  }
};
