import { type Application, bootstrap } from "@irori/irori";
import type { Extension } from "@irori/irori/actuator";
import { ApiErrorController } from "../../../examples/users/controllers/api_error_controller.ts";
import { UserErrors } from "../../../examples/users/controllers/user_errors.ts";
import { UserController } from "../../../examples/users/controllers/user_controller.ts";
import { UserService } from "../../../examples/users/services/user_service.ts";
import { UserRepository } from "../../../examples/users/repositories/user_repository.ts";
import { more, options } from "./extensions.ts";

/** The users example with its components listed, as bundles need it. */
export function usersApp(...others: readonly Extension[]): Promise<Application> {
  return bootstrap({
    components: [
      ApiErrorController,
      UserController,
      UserErrors,
      UserRepository,
      UserService,
      ...more,
    ],
    ...options,
    extensions: [...options.extensions, ...others],
  });
}
